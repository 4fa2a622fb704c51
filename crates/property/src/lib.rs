//! The property.
