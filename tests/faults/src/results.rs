//! `RESULTS.md`: the figures of the long form, a section a part, with when, where and how they came about.

use crate::report::Report;
use anyhow::Context;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const HEAD: &str = "# What the faults gave\n\nWritten by `cargo xtask faults`, part by part; nothing here is written by hand. A part that could not be tried says so.\n";

/// Writes the section of a part; the other sections stay.
///
/// # Errors
/// When the file cannot be read or written.
pub fn write(report: &Report) -> anyhow::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("RESULTS.md");
    let before = fs::read_to_string(&path).unwrap_or_default();
    fs::write(&path, with(&before, report.part, &section(report))).with_context(|| path.display().to_string())
}

fn with(before: &str, part: &str, section: &str) -> String {
    let mut sections: Vec<String> =
        before.split("\n## ").skip(1).map(|rest| format!("\n## {}", rest.trim_end())).collect();
    let own = format!("\n## {part}\n");
    let section = section.trim_end().to_owned();
    match sections.iter().position(|one| format!("{one}\n").starts_with(&own)) {
        Some(at) => sections[at] = section,
        None => sections.push(section),
    }
    let order = |section: &String| {
        crate::PARTS.iter().position(|part| section.starts_with(&format!("\n## {}\n", part.name))).unwrap_or(usize::MAX)
    };
    sections.sort_by_key(order);
    format!("{HEAD}{}\n", sections.join("\n"))
}

fn section(report: &Report) -> String {
    let mut text = String::new();
    let word = match (report.held(), report.skipped.is_empty()) {
        (false, _) => "**Broken.**",
        (true, true) => "Held.",
        (true, false) => "Held where it could be tried; the rest was skipped.",
    };
    let _ = writeln!(text, "\n## {}\n\n{} {word}\n\n| figure | |\n| --- | --- |", report.part, report.promise);
    // Where a machine keeps its temporary folders says nothing about the program.
    let temporary = format!("{}/", std::env::temp_dir().display());
    for (name, value) in &report.figures {
        let _ = writeln!(text, "| {name} | {} |", value.replace(&temporary, "").replace('|', "\\|"));
    }
    for (name, lines) in [("Skipped", &report.skipped), ("Broken", &report.broken)] {
        for line in lines {
            let _ = writeln!(text, "\n- {name}: {line}");
        }
    }
    let at = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC");
    let took = report.took.as_secs();
    let _ = writeln!(text, "\n{at}, {took} s, `cargo xtask faults {}`, {}.", report.part, machine());
    text
}

fn machine() -> String {
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let memory_kb: u64 = memory.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!(
        "{} {} {}, {cores} cores, {:.1} GiB of memory, debug build",
        std::env::consts::OS,
        kernel.trim(),
        std::env::consts::ARCH,
        memory_kb as f64 / 1_048_576.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_takes_the_place_of_its_own_and_leaves_the_others() {
        let once = with("", "kills", "\n## kills\n\nold\n");
        let twice = with(&once, "other", "\n## other\n\nstays\n");
        let thrice = with(&twice, "kills", "\n## kills\n\nnew\n");
        assert!(thrice.contains("new") && thrice.contains("stays") && !thrice.contains("old"), "{thrice}");
        assert_eq!(thrice.matches("# What the faults gave").count(), 1);
    }
}
