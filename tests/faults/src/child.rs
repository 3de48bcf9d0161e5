//! What this program does as a child of itself: it writes until something happens to it.

use std::path::Path;

/// Runs a child by its name.
pub fn run(arguments: &[String]) {
    match arguments {
        [word, root, number, count] if word == "append" => {
            crate::appends::child(Path::new(root), number, count.parse().expect("a number"));
        }
        [word, kind, path] if word == "foreign" => crate::edits::child(kind, Path::new(path)),
        [word, writer, root] if word == "write" => crate::power::child(writer, Path::new(root)),
        other => panic!("there is no such child: {other:?}"),
    }
}
