//! How the bytes are written down, and text that a terminal or a wrong decoder has been at.

use super::{check, failures};

const TEXT: &str = "# 引き継ぎ\r\n\r\n## 完了\r\n- 昇温\r\n\r\n## 次にやること\r\n- 保持\r\n";
const WANT: &str = "done: 昇温\nnext: 保持";

#[test]
fn utf_16_and_byte_order_marks_are_read() {
    let mut wrong = Vec::new();
    let units: Vec<u16> = TEXT.encode_utf16().collect();
    let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units.iter().flat_map(|unit| unit.to_le_bytes())).collect();
    let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units.iter().flat_map(|unit| unit.to_be_bytes())).collect();
    let bare: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let plain = "# Handoff\n\n## Done\n- ramp\n\n## Next\n- soak\n";
    let bare_latin: Vec<u8> = plain.encode_utf16().flat_map(|unit| unit.to_le_bytes()).collect();
    for (name, bytes, want) in [
        ("little.md", little, WANT),
        ("big.md", big, WANT),
        ("bare.md", bare, WANT),
        ("bare-latin.md", bare_latin, "done: ramp\nnext: soak"),
        ("mark.md", [b"\xef\xbb\xbf", TEXT.as_bytes()].concat(), WANT),
    ] {
        wrong.extend(failures(name, &bytes, want));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn bytes_that_are_not_utf_8_are_said_and_the_rest_is_read() {
    let latin = b"# \xdcbergabe\n\n## N\xe4chste Schritte\n- Halten\n\n## Erledigt\n- Aufheizen\n";
    let wrong = failures("HANDOFF.md", latin, "findings: invalid-utf8\ndone: Aufheizen");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn mojibake_is_said() {
    check(&[
        (
            "a wrongly decoded emoji",
            "# ðŸŽ¯ Handoff\n\n## âœ… Done\n- ramp\n\n## Next\n- soak\n",
            "findings: mojibake\ndone: ramp\nnext: soak",
        ),
        ("a Turkish one", "# ğŸ¯ Handoff â€” kiln\n\n## Next\n- soak\n", "findings: mojibake\nnext: soak"),
        ("umlauts", "# Ãœbergabe\n\n## NÃ¤chste Schritte\n- Halten\n\n## Done\n- x\n", "findings: mojibake"),
        (
            "clean text with odd letters",
            "# Handoff\n\nSão Paulo, Ångström, Ãlvaro, «ok» — “quoted”.\n\n## Next\n- soak\n",
            "without: mojibake",
        ),
    ]);
}

#[test]
fn a_terminal_paste_is_read_as_what_it_was() {
    check(&[
        (
            "indented by two and padded",
            "  # Handoff: kiln                                  \n                                                   \n  ## Done                                          \n  - ramp table, integer degrees, tested on the      \n    bench                                          \n                                                   \n  ## Next                                          \n  1. soak timer                                    \n  2. cooling                                       \n",
            "title: Handoff: kiln\ndone: ramp table\nnext: soak timer | cooling",
        ),
        (
            "bullets of a terminal",
            "● Handoff for the kiln\n\n  Done:\n  • ramp\n  • probe\n\n  Next:\n  • soak\n",
            "done: ramp | probe\nnext: soak",
        ),
        ("numbers with brackets", "Next:\n1) soak\n2) cool\n\nDone:\n1) ramp\n", "next: soak | cool\ndone: ramp"),
        (
            "escape codes",
            "\u{1b}[1m# Handoff\u{1b}[0m\n\n## Done\n- ramp\n\n## Next\n- soak\n",
            "done: ramp\nnext: soak",
        ),
        ("a front matter behind blank lines", "\n\n---\nbranch: feat/k\n---\n# H\n\n## Next\n- soak\n", "next: soak"),
        (
            "keys before a front matter",
            "root_span_id: 12\nturn_span_id: 13\n---\nbranch: feat/k\nstatus: partial\n---\n# H\n\n## Next\n- soak\n",
            "branch: feat/k\nstatus: partial\nnext: soak",
        ),
    ]);
}
