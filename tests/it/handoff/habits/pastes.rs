//! Whole documents that a terminal, a chat or a mail program shifted: what was indented is read as what it was.

use super::check;

#[test]
fn a_document_indented_throughout_is_read_as_if_it_were_not() {
    check(&[
        (
            "by four blanks",
            "    # Handoff: weir gate\n\n    Branch: `fix/weir-gate`\n    HEAD: 4be12aa\n\n    ## Goal\n    The gate closes within nine seconds.\n\n    ## Done\n    - Limit switch debounced\n    - Motor current logged\n      every second\n\n    ## Next Steps\n    1. Measure with water behind it\n    2. Write the manual page\n",
            "title: Handoff: weir gate\nbranch: fix/weir-gate\nhead: 4be12aa\nobjective: The gate closes within nine seconds.\ndone: Limit switch | Motor current\nnext: Measure | Write the manual",
        ),
        (
            "by four blanks under a first line of a prompt",
            "Here is the handoff:\n\n    # Übergabe Schleuse\n\n    ## Erledigt\n    - Endschalter entprellt\n\n    ## Nächste Schritte\n    - Mit Wasser messen\n\n    ## Nicht anfassen\n    - Der Notaus\n",
            "done: Endschalter\nnext: Mit Wasser\nnever: Der Notaus",
        ),
        (
            "by a tab",
            "\t# 引き継ぎ\n\n\t## 完了\n\t- 水門の制御\n\n\t## 次にやること\n\t- 実測\n",
            "done: 水門の制御\nnext: 実測",
        ),
        (
            "by six blanks with a fence",
            "      # Handoff\n\n      ## Commands\n      ```\n      # Next\n      - not work\n      ```\n\n      ## Next\n      - soak\n",
            "next: soak\ndone: -",
        ),
        (
            "and padded to the width of a screen",
            "    # Handoff: weir                                   \n                                                      \n    Done:                                             \n    - switch debounced, tested on the bench with two   \n      motors                                           \n                                                      \n    Next:                                             \n    - measure                                         \n",
            "done: switch debounced\nnext: measure",
        ),
    ]);
}

#[test]
fn hard_wraps_and_frames_do_not_cut_items() {
    check(&[
        (
            "a wrapped list",
            "# Handoff\n\n## Next\n1. Measure the closing time with\nwater behind the gate and write\nit down\n2. Manual page\n",
            "next: Measure the closing time | Manual page",
        ),
        (
            "a frame of lines",
            "╭──────────────────────────────╮\n│ # Handoff: weir              │\n│                              │\n│ ## Done                      │\n│ - switch debounced           │\n│                              │\n│ ## Next                      │\n│ - measure                    │\n╰──────────────────────────────╯\n",
            "done: switch debounced\nnext: measure",
        ),
        (
            "quoted throughout",
            "> # Handoff: weir\n>\n> ## Done\n> - switch debounced\n>\n> ## Next\n> - measure\n",
            "done: switch debounced\nnext: measure",
        ),
        (
            "one fence around all of it",
            "```markdown\n# Handoff: weir\n\n## Done\n- switch debounced\n\n## Next\n- measure\n```\n",
            "done: switch debounced\nnext: measure",
        ),
        (
            "a heading over two lines",
            "# H\n\n## Feste Regeln (Auszug, gelten\n## auch für neue Zweige)\n- Nicht am Notaus arbeiten\n\n## Nächste Schritte\n- Messen\n",
            "constraints: Nicht am Notaus\nnext: Messen",
        ),
    ]);
}
