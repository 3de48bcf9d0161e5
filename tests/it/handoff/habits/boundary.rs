//! What may be done: under headings, in sentences, in nine languages; and what only looks like a rule.

use super::check;

#[test]
fn rules_under_headings_go_to_their_list() {
    check(&[
        (
            "three lists",
            "# H\n\n## Safety boundary\n\n### Allowed\n- edit src/\n\n### Ask first\n- push\n\n### Forbidden\n- deploy\n\n## Next\n- x\n",
            "may: edit src/\nask: push\nnever: deploy",
        ),
        (
            "do not touch",
            "# H\n\n## Do not touch\n- `src/ramp.rs`\n- the production database\n\n## Next\n- x\n",
            "never: src/ramp.rs | the production database",
        ),
        (
            "do not touch unless asked",
            "# H\n\n## Do not touch unless asked\n- the fan\n\n## Next\n- x\n",
            "ask: the fan\nnever: -",
        ),
        (
            "you may edit",
            "# H\n\n## You may edit\n- src/soak.rs\n\n## You may not edit\n- src/ramp.rs\n\n## Next\n- x\n",
            "may: src/soak.rs\nnever: src/ramp.rs",
        ),
        (
            "out of scope",
            "# H\n\n## Out of scope\n- glaze\n\n## Allowed scope\n- firmware\n\n## Next\n- x\n",
            "never: glaze\nmay: firmware",
        ),
        (
            "rules of work",
            "# H\n\n## Working rules for next agents\n- Never force-push\n- Ask before deleting files\n- You may run tests without asking\n\n## Next\n- x\n",
            "never: Never force-push\nask: Ask before deleting\nmay: You may run tests",
        ),
        (
            "human actions",
            "# H\n\n## Needs human approval\n- deploy to the studio\n\n## Next\n- x\n",
            "ask: deploy to the studio",
        ),
        (
            "forbidden files untouched",
            "# H\n\n## Confirmation: forbidden files untouched\n- src/ramp.rs\n\n## Next\n- x\n",
            "never: src/ramp.rs",
        ),
        (
            "Japanese",
            "# 引き継ぎ\n\n## 触るときの不変条件\n- ramp.rs は触らない\n\n## 人間承認\n- デプロイ\n\n## 次にやること\n- 保持\n",
            "never: ramp.rs は触らない\nask: デプロイ",
        ),
        (
            "Korean",
            "# 인수인계\n\n## 금지 사항\n- main에 push 금지\n\n## 승인 필요\n- 배포\n\n## 다음 할 일\n- 유지\n",
            "never: main에 push 금지\nask: 배포",
        ),
        (
            "Russian",
            "# Передача\n\n## Не трогать\n- порт датчика\n\n## Следующие шаги\n- выдержка\n",
            "never: порт датчика",
        ),
        (
            "French",
            "# Passation\n\n## Règles de travail non négociables\n- Ne jamais pousser sur main\n- Demander avant de supprimer\n\n## Prochaines étapes\n- palier\n",
            "never: Ne jamais pousser\nask: Demander avant",
        ),
    ]);
}

#[test]
fn rules_in_sentences_are_found_wherever_they_stand() {
    check(&[
        (
            "last bullet of known issues",
            "# H\n\n## Known issues\n- the probe lies\n- The fan relay is live: do not unplug it while firing.\n\n## Next\n- x\n",
            "never: do not unplug",
        ),
        (
            "quick context",
            "# H\n\n## Quick Context\nAda owns main. Do not push there without her approval.\n\n## Next\n- x\n",
            "ask: Do not push there without her approval",
        ),
        (
            "gotchas",
            "# H\n\n## Gotchas & Warnings\n- Never run the migration twice\n- Don't commit `.env`\n\n## Next\n- x\n",
            "never: Never run the migration | Don't commit",
        ),
        ("next steps", "# H\n\n## Next\n1. Soak. Don't touch the ramp.\n", "never: Don't touch the ramp"),
        (
            "German",
            "# Übergabe\n\n## Hinweise\nDie Rampe bitte nicht anfassen. Ohne Freigabe wird nichts gepusht. main niemals überschreiben.\n\n## Nächste Schritte\n- Halten\n",
            "never: nicht anfassen | niemals überschreiben\nask: Ohne Freigabe",
        ),
        (
            "Spanish",
            "# Traspaso\n\n## Notas\nNo tocar la rampa. No subir nada sin aprobación.\n\n## Próximos pasos\n- meseta\n",
            "never: No tocar la rampa\nask: sin aprobación",
        ),
        (
            "Portuguese",
            "# Passagem\n\n## Notas\nNão mexer na rampa. Não fazer push sem aprovação.\n\n## Próximos passos\n- patamar\n",
            "never: Não mexer na rampa\nask: sem aprovação",
        ),
        (
            "Italian",
            "# Passaggio\n\n## Note\nNon toccare la rampa. Niente push senza approvazione.\n\n## Prossimi passi\n- plateau\n",
            "never: Non toccare la rampa\nask: senza approvazione",
        ),
        (
            "Russian",
            "# Передача\n\n## Заметки\nРампу не трогать. Без согласования ничего не пушить.\n\n## Следующие шаги\n- выдержка\n",
            "never: не трогать\nask: Без согласования",
        ),
        (
            "Chinese",
            "# 交接\n\n## 说明\n升温表不要改。未经批准不得推送到 main。严禁删除日志。\n\n## 下一步\n- 保温\n",
            "never: 升温表不要改 | 严禁删除日志\nask: 未经批准",
        ),
        (
            "Japanese",
            "# 引き継ぎ\n\n## 補足\n昇温表は変更しないでください。承認なしに push しないこと。本番DBに触らないこと。\n\n## 次にやること\n- 保持\n",
            "never: 変更しないで | 本番DBに触らない\nask: 承認なし",
        ),
        (
            "Korean",
            "# 인수인계\n\n## 메모\n상승 표는 수정하지 마세요. 승인 없이 배포하지 말 것. 운영 DB는 건드리지 말 것.\n\n## 다음 할 일\n- 유지\n",
            "never: 수정하지 마 | 건드리지\nask: 승인 없이",
        ),
        (
            "capitals and emphasis",
            "# H\n\n## Notes\n**DO NOT** merge PR #41. **Never** deploy on Fridays. ⚠️ NEVER delete `data/`.\n\n## Next\n- x\n",
            "never: merge PR #41 | deploy on Fridays | delete `data/`",
        ),
        (
            "a rule in a table",
            "# H\n\n## Notes\n\n| Topic | Rule |\n|---|---|\n| main | never push |\n\n## Next\n- x\n",
            "never: never push",
        ),
        (
            "wait for a person",
            "# H\n\n## Notes\nMerging requires explicit approval from Ada. Ask Ada before changing the schema. Do not deploy until Ada confirms.\n\n## Next\n- x\n",
            "ask: requires explicit approval | Ask Ada before | until Ada confirms\nnever: -",
        ),
        (
            "passive rules",
            "# H\n\n## Notes\n`data/` must not be deleted. The schema must never be changed by hand. No force pushes.\n\n## Next\n- x\n",
            "never: must not be deleted | must never be changed | No force pushes",
        ),
        (
            "read-only",
            "# H\n\n## Notes\nProduction is read-only for agents. Stay out of `legacy/`. Leave `vendor/` alone.\n\n## Next\n- x\n",
            "never: read-only | Stay out | alone",
        ),
        ("avoid is advice", "# H\n\n## Notes\nAvoid long lines.\n\n## Next\n- x\n", "never: -\nask: -"),
    ]);
}

#[test]
fn statements_about_data_and_history_are_no_rules() {
    check(&[
        (
            "code",
            "# H\n\n## Notes\nThe value is never null. `parse` never returns an error. Heights do not change between runs. The cache never drops entries. Do not expect a header. Rows without approval are skipped. It must not be null.\n\n## Next\n- x\n",
            "never: -\nask: -",
        ),
        (
            "history",
            "# H\n\n## Notes\nWe never deployed that version. I did not touch the ramp. The old agent never ran the tests. The user approved the plan. Nobody asked for it.\n\n## Next\n- x\n",
            "never: -\nask: -",
        ),
        (
            "tests",
            "# H\n\n## Verification\n- Migrations do not run twice: tested\n- The worker never restarts: tested\n- a request without permission gets 403\n\n## Next\n- x\n",
            "never: -\nask: -\nfacts: Migrations do not run | The worker never | a request without permission",
        ),
        (
            "features",
            "# H\n\n## Done\n- Users cannot delete orders without confirmation\n- The button asks before closing\n- Added approval flow; refunds require approval\n\n## Next\n- Add a dialog that asks before deletion\n- Prevent edits without permission\n",
            "never: -\nask: -",
        ),
        (
            "questions",
            "# H\n\n## Open questions\n- Should we never push to main?\n- Do we need approval for this?\n\n## Next\n- x\n",
            "never: -\nask: -",
        ),
        (
            "Japanese statements",
            "# 引き継ぎ\n\n## 補足\n値は変わらない。エラーにはならない。空行は不要。\n\n## 次にやること\n- 保持\n",
            "never: -",
        ),
        (
            "Chinese statements",
            "# 交接\n\n## 说明\n数值不会改变。这个字段不需要。旧接口已不再使用。不要求登录。\n\n## 下一步\n- 保温\n",
            "never: -",
        ),
        (
            "German statements",
            "# Übergabe\n\n## Hinweise\nDer Wert ändert sich nicht. Das Skript läuft niemals doppelt. Die Datei wurde nicht gelöscht.\n\n## Nächste Schritte\n- Halten\n",
            "never: -",
        ),
        (
            "quoted errors",
            "# H\n\n## Gotchas\n- git prints \"do not commit secrets\" when the hook fires\n- error: `cannot push without permission`\n\n## Next\n- x\n",
            "never: -\nask: -",
        ),
    ]);
}

#[test]
fn a_review_is_a_persons_word() {
    check(&[
        (
            "sentences",
            "# H\n\n## Notes\nNever push without review. Do not merge before Ana has reviewed it. Don't deploy without a second pair of eyes. Never commit or push without the user's review.\n\n## Next\n- x\n",
            "never: -\nask: Never push without review | Do not merge before | Don't deploy | Never commit or push",
        ),
        (
            "a section",
            "# H\n\n## Safety boundary\n- Never push without review\n- Never force-push\n- Run tests freely\n\n## Next\n- x\n",
            "never: Never force-push\nask: Never push without review\nmay: Run tests freely",
        ),
    ]);
}

#[test]
fn what_a_program_must_not_bind_is_no_rule_of_the_agent() {
    check(&[
        (
            "a port",
            "# H\n\n## Notes\nThe dev server must not bind port 3000. `vite` must not bind 8080 while the proxy runs.\n\n## Next\n- x\n",
            "never: -\nask: -",
        ),
        (
            "a constraint",
            "# H\n\n## Constraints\n- The worker must not bind PORT; the web process owns it.\n- Do not use port 3000, the demo runs there.\n\n## Next\n- x\n",
            "never: Do not use port 3000\nask: -",
        ),
    ]);
}

#[test]
fn advice_below_a_heading_of_rules_is_a_constraint_and_no_boundary() {
    check(&[
        (
            "rules of work",
            "# H\n\n## Working Rules For Next Agents\n- implement against the specs first\n- prefer typed models\n- do not port code blindly from `old/`; never copy it\n\n## Next\n- x\n",
            "constraints: implement against | prefer typed\nnever: do not port\nask: -\nmay: -",
        ),
        (
            "hard rules",
            "# H\n\n## Hard rules\n- British spelling\n- Never push to main\n\n## Next\n- x\n",
            "constraints: British spelling\nnever: Never push",
        ),
        (
            "French",
            "# Passation\n\n## Règles de travail non négociables\n- Tests courts et lisibles\n- Ne jamais pousser sur main\n\n## Prochaines étapes\n- palier\n",
            "constraints: Tests courts\nnever: Ne jamais pousser\nask: -",
        ),
        (
            "a Korean heading of cautions",
            "# 인수인계\n\n## 주의사항\n- 재시작하면 캐시가 사라진다\n- 운영 DB는 건드리지 않는다\n\n## 다음 할 일\n- 유지\n",
            "hazards: 재시작하면\nnever: 운영 DB는\nask: -",
        ),
    ]);
}

#[test]
fn a_line_of_the_boundary_that_names_no_list_is_left_to_a_person_and_said_so() {
    check(&[
        (
            "nothing says which",
            "# H\n\n## Safety boundary\n- the export bucket\n\n## Next\n- x\n",
            "ask: the export bucket\nfindings: boundary-list-unsaid",
        ),
        (
            "the heading says which",
            "# H\n\n## Do not touch\n- the export bucket\n\n## Next\n- x\n",
            "never: the export bucket\nwithout: boundary-list-unsaid",
        ),
    ]);
}
