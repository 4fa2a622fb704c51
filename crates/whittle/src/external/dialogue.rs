//! Dialogues with Shrink Ray's external reducers: lines of JSON with texts in base64.
//!
//! Whittle says `{"content": TEXT, "interesting": true}` to hand over the current text, and after that the same with true or
//! false about each text that is proposed by `{"content": TEXT}`. `{"idle": true}` ends the turn; so does the end of the
//! process. Proposals are answered one after the other, in the order in which they come: a program that asks for several
//! at once gets the same answers as one that waits.

use std::ffi::OsString;
use std::sync::PoisonError;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use whittle_property::conditions::{CommandLine, Ending};
use whittle_property::converse;
use whittle_search::{Search, Stop};

use super::answers::Key;
use super::{CRASH, FAILURE, MAX_ANSWER_BYTES, Office, stop};

#[derive(Serialize)]
struct Feedback {
    content: String,
    interesting: bool,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    #[serde(default)]
    idle: bool,
}

/// What a program says.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Text(Vec<u8>),
    Idle,
}

impl Office {
    /// Hands over the best, and tests what the program proposes until it is idle.
    pub(super) fn talk(&self, line: &CommandLine, search: &mut Search, file: usize) -> Result<(), Stop> {
        let words = line.words("".as_ref());
        let current = |search: &Search| search.best().candidate.files()[file].bytes().to_vec();
        let mut said = feedback(&current(search), true);
        let mut asked = Key::of(&[b"dialogue", line.to_string().as_bytes()]);
        let mut is_live = false;
        for _ in 0..self.limits.tests {
            asked = asked.followed_by(said.as_bytes());
            let known = self.answers.known(asked).filter(|_| !is_live);
            let answer = match known {
                Some(answer) => answer,
                None => {
                    // A process that has not heard what was said so far goes on from what came of it.
                    let is_first = !std::mem::replace(&mut is_live, true);
                    let says = if is_first { feedback(&current(search), true) } else { said };
                    let answer = self.say(&words, (says, is_first), search)?;
                    self.answers.keep(asked, &answer);
                    answer
                }
            };
            match parse(&answer) {
                Ok(Said::Idle) => {
                    self.set_listening(is_live);
                    return Ok(());
                }
                Ok(Said::Text(text)) => {
                    let candidate = search.best().candidate.with_bytes(file, text.clone());
                    said = feedback(&text, search.attempt(candidate)?);
                }
                Err(problem) => {
                    self.report(search, &problem);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Says a line to the process, and gives its next one; nothing if it has ended or was ended. The first line of a turn goes
    /// to a new process if the last turn ended in the middle: that process waits for something else.
    fn say(&self, words: &[OsString], (line, is_first): (String, bool), search: &mut Search) -> Result<Vec<u8>, Stop> {
        let afresh = !self.set_listening(false) && is_first;
        let limits = (self.time_left(), MAX_ANSWER_BYTES);
        match converse(&self.crew, words, (line.into(), afresh), limits, &self.cancel).map_err(stop)? {
            Ok(answer) => Ok(answer),
            Err(Ending::Exited(0)) => Ok(Vec::new()),
            Err(ending) => {
                let problem = match ending {
                    Ending::Exited(_) => FAILURE.to_owned(),
                    Ending::Signalled(_) => CRASH.to_owned(),
                    _ => format!("it {ending}"),
                };
                self.report(search, &problem);
                Ok(Vec::new())
            }
        }
    }

    /// Sets whether the process waits for a text, and says whether it did before.
    fn set_listening(&self, is_listening: bool) -> bool {
        std::mem::replace(&mut *self.is_listening.lock().unwrap_or_else(PoisonError::into_inner), is_listening)
    }
}

fn feedback(text: &[u8], interesting: bool) -> String {
    let feedback = Feedback { content: STANDARD.encode(text), interesting };
    serde_json::to_string(&feedback).unwrap_or_default()
}

/// Reads a line. That a process has ended is as good as that it is idle.
fn parse(line: &[u8]) -> Result<Said, String> {
    if line.is_empty() {
        return Ok(Said::Idle);
    }
    let wrong = || format!("it printed '{}', which is no message", String::from_utf8_lossy(line));
    let message: Message = serde_json::from_slice(line).map_err(|_| wrong())?;
    match message {
        Message { idle: true, .. } => Ok(Said::Idle),
        Message { content: Some(text), .. } => STANDARD.decode(text).map(Said::Text).map_err(|_| wrong()),
        Message { content: None, .. } => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_shrink_ray() {
        assert_eq!(feedback(b"ab\xff", true), r#"{"content":"YWL/","interesting":true}"#);
        assert_eq!(parse(br#"{"content": "YWL/"}"#), Ok(Said::Text(b"ab\xff".to_vec())));
        assert_eq!(parse(br#"{"idle": true}"#), Ok(Said::Idle));
        assert_eq!(parse(b""), Ok(Said::Idle));
        for wrong in [&b"hello"[..], b"{}", br#"{"content": "*"}"#, br#"{"content": 3}"#] {
            assert!(parse(wrong).unwrap_err().contains("no message"));
        }
    }
}
