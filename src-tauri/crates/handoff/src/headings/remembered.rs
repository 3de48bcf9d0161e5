//! Answers about short texts, kept by thread: the same few names stand over the sections of one document after the other
//! and are asked about for each of their lines.

use std::cell::RefCell;
use std::collections::HashMap;

/// Answers that are kept; then it begins anew.
const MOST: usize = 500;
/// Bytes of a text that is kept. What is longer is hardly a name and does not come again.
const LONGEST: usize = 80;

/// Answers that depend on their text alone.
pub(super) struct Remembered<T>(RefCell<HashMap<String, T>>);

impl<T: Clone> Remembered<T> {
    pub(super) fn new() -> Self {
        Self(RefCell::default())
    }

    /// What is known about the text, worked out when it is asked for the first time.
    pub(super) fn get(&self, text: &str, work_out: impl FnOnce(&str) -> T) -> T {
        if text.len() > LONGEST {
            return work_out(text);
        }
        if let Some(known) = self.0.borrow().get(text) {
            return known.clone();
        }
        let answer = work_out(text);
        let mut known = self.0.borrow_mut();
        if known.len() == MOST {
            known.clear();
        }
        known.insert(text.to_owned(), answer.clone());
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_keeps_its_own_answer_however_many_there_are() {
        let (lengths, mut worked_out) = (Remembered::new(), 0);
        let texts: Vec<String> = (0..MOST * 2).map(|number| "x".repeat(number % 100) + &number.to_string()).collect();
        let again = &texts[texts.len() - 100..texts.len() - 30];
        for text in texts.iter().chain(again) {
            let length = lengths.get(text, |text| {
                worked_out += 1;
                text.len()
            });
            assert_eq!(length, text.len());
        }
        assert!(lengths.0.borrow().len() <= MOST);
        assert_eq!(worked_out, texts.len(), "short ones that came lately were known");
    }
}
