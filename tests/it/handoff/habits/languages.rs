//! Nine languages, with and without accents, whole files.

use super::check;

#[test]
fn whole_files_in_nine_languages() {
    check(&[
        (
            "English",
            "# Session handoff\n\n**Agent:** claude-code\n**Model:** opus\n**Reason:** usage limit\n\n## What we're doing\nFiring at 1060.\n\n## What's been done\n- ramp\n\n## What's next\n1. soak\n\n## Things to watch out for\n- probe\n\n## Questions for Ada\n- cone?\n\n## Ruled out\n- floats: controller\n",
            "agent: claude-code\nmodel: opus\nreason: usage limit\nobjective: Firing\ndone: ramp\nnext: soak\nhazards: probe\nopen: cone?\nrejected: floats => controller",
        ),
        (
            "German",
            "# Übergabe\n\n## Ziel\nBrand bei 1060.\n\n## Erledigt\n- Rampe\n\n## Offene Punkte\n- Halten\n\n## Nächste Schritte\n1. Kühlen\n\n## Offene Fragen\n- Welcher Kegel?\n\n## Entscheidungen\n- Ganze Grad, weil der Regler keine Kommazahlen kennt\n\n## Stolperfallen\n- Fühler\n\n## Verworfen\n- Kommazahlen: Regler\n\n## Nicht anfassen\n- src/ramp.rs\n",
            "objective: Brand\ndone: Rampe\nnext: Kühlen\nopen: Halten | Welcher Kegel?\ndecisions: Ganze Grad => der Regler\nhazards: Fühler\nrejected: Kommazahlen => Regler\nnever: src/ramp.rs",
        ),
        (
            "French",
            "# Passation\n\n## Objectif\nCuisson à 1060.\n\n## Ce qui a été fait\n- rampe\n\n## Prochaines étapes\n1. palier\n\n## Questions ouvertes\n- Quel cône ?\n\n## Décisions prises\n- entiers, car le régulateur n'a pas de flottants\n\n## Pièges\n- sonde\n\n## Ne pas toucher\n- src/ramp.rs\n",
            "objective: Cuisson\ndone: rampe\nnext: palier\nopen: Quel cône\ndecisions: entiers => le régulateur\nhazards: sonde\nnever: src/ramp.rs",
        ),
        (
            "Spanish",
            "# Traspaso\n\n## Objetivo\nCocción a 1060.\n\n## Hecho\n- rampa\n\n## Pendiente\n- meseta\n\n## Próximos pasos\n1. enfriar\n\n## Preguntas abiertas\n- ¿Qué cono?\n\n## Decisiones\n- enteros porque el regulador no tiene decimales\n\n## Problemas conocidos\n- sonda\n\n## No tocar\n- src/ramp.rs\n",
            "objective: Cocción\ndone: rampa\nnext: meseta | enfriar\nopen: ¿Qué cono?\ndecisions: enteros => el regulador\nhazards: sonda\nnever: src/ramp.rs",
        ),
        (
            "Portuguese without accents",
            "# Passagem\n\n## Objetivo\nQueima a 1060.\n\n## Concluido\n- rampa\n\n## Proximos passos\n1. patamar\n\n## Questoes em aberto\n- Qual cone?\n\n## Decisoes\n- inteiros porque o controlador nao tem decimais\n\n## Problemas conhecidos\n- sonda\n",
            "objective: Queima\ndone: rampa\nnext: patamar\nopen: Qual cone?\ndecisions: inteiros => o controlador\nhazards: sonda",
        ),
        (
            "Italian",
            "# Passaggio di consegne\n\n## Obiettivo\nCottura a 1060.\n\n## Cosa è stato fatto\n- rampa\n\n## Prossimi passi\n1. plateau\n\n## Domande aperte\n- Quale cono?\n\n## Decisioni\n- interi perché il regolatore non ha decimali\n\n## Problemi noti\n- sonda\n\n## Da non toccare\n- src/ramp.rs\n",
            "objective: Cottura\ndone: rampa\nnext: plateau\nopen: Quale cono?\ndecisions: interi => il regolatore\nhazards: sonda\nnever: src/ramp.rs",
        ),
        (
            "Russian",
            "# Передача\n\n## Цель\nОбжиг при 1060.\n\n## Сделано\n- подъём\n\n## Следующие шаги\n1. выдержка\n\n## Открытые вопросы\n- Какой конус?\n\n## Решения\n- целые числа, потому что регулятор не знает дробей\n\n## Известные проблемы\n- датчик\n\n## Отклонено\n- дроби: регулятор\n",
            "objective: Обжиг\ndone: подъём\nnext: выдержка\nopen: Какой конус?\ndecisions: целые числа => регулятор\nhazards: датчик\nrejected: дроби => регулятор",
        ),
        (
            "Chinese",
            "# 交接文档\n\n## 目标\n在1060度烧制。\n\n## 已完成工作\n- 升温\n\n## 待办事项\n- 保温\n\n## 待确认问题\n- 哪种锥体？\n\n## 关键决策\n- 整数，因为控制器没有浮点\n\n## 注意事项\n- 探头不准\n\n## 关键文件\n- src/ramp.rs\n\n## 已否决方案\n- 浮点：控制器\n",
            "objective: 在1060度\ndone: 升温\nnext: 保温\nopen: 哪种锥体\ndecisions: 整数 => 控制器没有浮点\nhazards: 探头不准\nartifacts: src/ramp.rs\nrejected: 浮点 => 控制器",
        ),
        (
            "Japanese",
            "# 引き継ぎ資料\n\n## 目的\n1060度で焼く。\n\n## やったこと\n- 昇温\n\n## 残タスク\n- 保持\n\n## 未決事項\n- コーンは？\n\n## 決定事項\n- 整数（理由：制御器）\n\n## ハマりどころ\n- 探触子\n\n## 関連ファイル\n- src/ramp.rs\n\n## 却下案\n- 浮動小数：制御器\n",
            "objective: 1060度\ndone: 昇温\nnext: 保持\nopen: コーンは\ndecisions: 整数 => 制御器\nhazards: 探触子\nartifacts: src/ramp.rs\nrejected: 浮動小数 => 制御器",
        ),
        (
            "Korean",
            "# 인수인계\n\n## 목표\n1060도에서 굽기.\n\n## 완료한 작업\n- 상승\n\n## 남은 작업\n- 유지\n\n## 미해결 질문\n- 어떤 콘?\n\n## 결정 사항\n- 정수 (이유: 제어기)\n\n## 알려진 문제\n- 탐침\n\n## 핵심 파일\n- src/ramp.rs\n",
            "objective: 1060도\ndone: 상승\nnext: 유지\nopen: 어떤 콘?\ndecisions: 정수 => 제어기\nhazards: 탐침\nartifacts: src/ramp.rs",
        ),
    ]);
}

#[test]
fn dates_are_read_as_people_write_them() {
    check(&[
        ("with a zone", "# H\n\nLast updated: 2026-05-03 18:10 KST\n\n## Next\n- x\n", "written_at: 2026-05-03"),
        ("American", "# H\n\nUpdated: 3/23/26\n\n## Next\n- x\n", "written_at: 2026-03-23"),
        ("month name", "# H\n\n**Date:** March 23, 2026\n\n## Next\n- x\n", "written_at: 2026-03-23"),
        ("Chinese", "# 交接\n\n更新时间：2026年3月23日\n\n## 下一步\n- x\n", "written_at: 2026-03-23"),
        (
            "Japanese slash",
            "# 引き継ぎ\n\n最終更新：2026/03/23 14:05\n\n## 次にやること\n- x\n",
            "written_at: 2026-03-23",
        ),
        ("German", "# Übergabe\n\nStand: 23.03.2026\n\n## Nächste Schritte\n- x\n", "written_at: 2026-03-23"),
        (
            "iso in a front matter",
            "---\ndate: 2026-03-23T14:05:00+09:00\nlast_updated: 2026-03-24\n---\n# H\n\n## Next\n- x\n",
            "written_at: 2026-03-24\ncreated_at: 2026-03-23T14:05:00+09:00",
        ),
        (
            "HumanLayer helper",
            "---\ndate: 2026-02-12 09:00:00 WET\n---\n# H\n\n## Next\n- x\n",
            "written_at: 2026-02-12",
        ),
    ]);
}
