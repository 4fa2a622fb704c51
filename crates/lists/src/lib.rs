//! Minimizers of lists.
