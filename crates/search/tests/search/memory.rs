//! What a search keeps: of the input only its bytes, since a parse may take many times their memory.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use whittle_search::{Candidate, Measure, Setup, Size};

use crate::common::{Sleepy, candidate};

/// Notes all parses, which files own.
fn measure(parses: &Arc<Mutex<Vec<Weak<String>>>>) -> Measure {
    let parses = Arc::clone(parses);
    Arc::new(move |candidate: &Candidate| {
        candidate.files()[0].memo(|| {
            let parse = Arc::new("a parse".to_owned());
            parses.lock().unwrap().push(Arc::downgrade(&parse));
            parse
        });
        Size::in_bytes(candidate)
    })
}

#[test]
fn what_was_found_out_about_the_input_goes_with_the_first_success() {
    let parses = Arc::default();
    let setup = Setup { measure: measure(&parses), ..Setup::default() };
    let mut search = setup.start(Sleepy::new(|_| true, 0, Duration::ZERO), candidate(&[1, 2, 3])).unwrap();
    let alive = || -> Vec<bool> { parses.lock().unwrap().iter().map(|parse| parse.strong_count() > 0).collect() };
    assert_eq!(alive(), [true], "the input is parsed once, and is the best");
    assert!(search.attempt(candidate(&[1, 2])).unwrap());
    assert_eq!(alive(), [false, true]);
}
