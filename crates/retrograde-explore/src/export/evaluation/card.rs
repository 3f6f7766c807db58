//! The data card of an evaluation set: its content, origin, licence and checksums.

use std::collections::BTreeMap;

use super::set::{DrawRule, EvaluationOptions, EvaluationRow, EvaluationSet, Split};
use crate::{Error, OpenGame, Statistics, StoreKind};

/// The card as Markdown. It contains neither the time nor a path, so a set drawn again from a table of the
/// same kind has the same card.
pub(super) fn card(
    game: &OpenGame,
    options: &EvaluationOptions,
    set: &EvaluationSet,
    rows: &[EvaluationRow],
) -> Result<String, Error> {
    let (name, title, command_name) = (game.name(), &game.entry.title, game.entry.command_name());
    let rules: Vec<&str> = options.rules_in_order().map(DrawRule::word).collect();
    let formats: Vec<&str> = options.formats.iter().map(|format| format.word()).collect();
    let [rules, formats] = [rules, formats].map(|words| words.join(","));
    let (positions, seed) = (options.positions, options.seed);
    let statistics = game.statistics()?;
    let table = Origin::of(game, &statistics);
    let mut card = header(title, options, set)
        + &format!(
            "# {title}: an evaluation set with perfect values\n\n\
         {} positions of `{name}`, each with all turns and their values: win, draw or loss with perfect play{}.\n\n",
            set.rows,
            if table.has_turns { ", and the turns to the end" } else { "" },
        );
    if set.rows < positions {
        card += &format!("{positions} were requested, but the rules below found fewer.\n\n");
    }
    card += &format!(
        "- **Licence**: MIT, like Retrograde itself.\n\
         - **Made by**: Retrograde {}, from {} ({}). Values are exact, not estimates: `retrograde verify {command_name} \
         --full` recomputes them.\n",
        env!("CARGO_PKG_VERSION"),
        table.words,
        counts(&statistics),
    );
    if let Some(horizon) = statistics.horizon {
        card += &format!(
            "- **Left out**: positions that are drawn or end in more than {horizon} turns, and positions with a turn \
             to one of them. The table does not decide those, so the only draws here are draws by the rules.\n",
        );
    }
    card += &format!(
        "- **To reproduce**: {}, then `retrograde export evaluation {command_name} --positions {positions} --seed {seed} \
         --rule {rules} --format {formats} --out FOLDER`. With the same version of Retrograde and {}, the files are \
         identical.\n\n",
        match &table.options {
            Some(options) => format!("`retrograde solve {command_name}{options}`"),
            None => "copy the published files into the folder of tables".to_owned(),
        },
        table.same,
    );
    card += "## Files\n\n| file | positions | bytes | SHA-256 |\n|---|---|---|---|\n";
    for file in &set.files {
        card += &format!("| `{}` | {} | {} | `{}` |\n", file.name, file.rows, file.bytes, file.sha256);
    }
    card += "\n`sha256sum --check SHA256SUMS` checks them.\n\n## How positions were chosen\n\n";
    for rule in options.rules_in_order() {
        card += &format!("- `{}`: {}.\n", rule.word(), rule.sentence());
    }
    card += &format!(
        "\nEach rule chooses {} of the positions. They are random positions of the table, so many follow from bad \
         play, and some may not be reachable from the start. Finished positions are left out.\n\n",
        if options.rules.len() > 1 { "the same share" } else { "all" },
    );
    card += if set.has_symmetries {
        "No two positions are images of each other under the symmetries of the board, even in different splits. "
    } else {
        "**The game declares no symmetries** except those of its numbering, so mirror images may be in different \
         splits. "
    };
    card += "A hash of the smallest text of a position's images decides whether it is for training, validation or \
             test (about 8 : 1 : 1). This does not depend on the seed, so sets of this game can be combined without \
             mixing the splits.\n\n| rule | outcome |";
    for split in Split::ALL {
        card += &format!(" {} |", split.word());
    }
    card += "\n|---|---|---|---|---|\n";
    let mut counts: BTreeMap<(&str, &str), [u64; 3]> = BTreeMap::new();
    for row in rows {
        let split = Split::of(name, &row.orbit);
        counts.entry((row.rule.word(), row.outcome.word())).or_default()[split as usize] += 1;
    }
    for ((rule, outcome), [train, validation, test]) in counts {
        card += &format!("| {rule} | {outcome} | {train} | {validation} | {test} |\n");
    }
    card += FIELDS;
    let shape = game.row_shape();
    if !shape.planes.is_empty() {
        card += &format!(
            "| `planes` | planes for a network, seen by the side to move: lists of {} rows of {} squares, 0 or 1, from \
             the top; in Parquet one list: {} |\n",
            shape.rows,
            shape.columns,
            shape.planes.join(", ")
        );
    }
    Ok(card)
}

/// The YAML at the top of the card, from which repositories of data sets take the title, the licence and the
/// files of each split.
fn header(title: &str, options: &EvaluationOptions, set: &EvaluationSet) -> String {
    let size = match set.rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        _ => "n>1M",
    };
    let title = format!("{title}: perfect values").replace('\\', "\\\\").replace('"', "\\\"");
    let mut yaml = format!(
        "---\nlicense: mit\nlanguage:\n- en\npretty_name: \"{title}\"\nsize_categories:\n- {size}\n\
         tags:\n- board-games\n- combinatorial-games\n- perfect-play\n- retrograde-analysis\nconfigs:\n"
    );
    for format in &options.formats {
        yaml += &format!("- config_name: {}\n  data_files:\n", format.word());
        let of_format = |name: &str| name.rsplit('.').next() == Some(format.word());
        // A split without rows has no columns to read.
        for file in set.files.iter().filter(|file| of_format(&file.name) && file.rows > 0) {
            yaml += &format!("  - split: {}\n    path: {}\n", file.split.word(), file.name);
        }
    }
    yaml + "---\n\n"
}

/// The origin of the values.
struct Origin {
    words: &'static str,
    has_turns: bool,
    /// The options of `solve` that produce the table; `None` if it was not solved here.
    options: Option<String>,
    /// The kind of table from which the same files can be drawn.
    same: &'static str,
}

impl Origin {
    fn of(game: &OpenGame, statistics: &Statistics) -> Origin {
        let has_turns = !(statistics.by_turns.win.is_empty() && statistics.by_turns.loss.is_empty());
        let kind = game.facts().map(|facts| facts.kind);
        let (words, mut options, same) = match kind {
            Some(StoreKind::Reachable) => {
                ("a table of the reachable positions", " --reachable".to_owned(), "a table of this kind")
            }
            Some(StoreKind::Archive) => {
                ("the files of the game's own solver", String::new(), "files of this kind")
            }
            Some(StoreKind::Published) => ("published files", String::new(), "the same published files"),
            _ if statistics.horizon.is_some() => {
                ("an incomplete table", String::new(), "a table of this kind")
            }
            _ => ("the complete table of the game", String::new(), "a table of this kind"),
        };
        if let Some(horizon) = statistics.horizon {
            options += &format!(" --max-turns {horizon}");
        }
        if !has_turns {
            options += " --outcome-only";
        }
        Origin { words, has_turns, options: (kind != Some(StoreKind::Published)).then_some(options), same }
    }
}

/// The positions of the table by outcome.
fn counts(statistics: &Statistics) -> String {
    let Statistics { positions, wins, losses, draws, unknown, .. } = statistics;
    let counted = statistics.counted.as_deref().unwrap_or("positions");
    let mut text = format!("{} {counted}: {} wins, {} losses", positions.0, wins.0, losses.0);
    // Undecided positions may be draws.
    if draws.0 > 0 || unknown.is_none() {
        text += &format!(", {} draws", draws.0);
    }
    if let Some(unknown) = unknown {
        text += &format!(", {} undecided", unknown.0);
    }
    text
}

const FIELDS: &str = "
## Fields

| field | content |
|---|---|
| `index` | the position's number in the table, as printed by `retrograde index`; in JSON a string above 2⁵³ |
| `position` | its text, as for `retrograde probe`, seen by the side to move |
| `orbit` | the smallest text of its images: the same for all positions that are images of each other |
| `rule` | the rule that chose it |
| `outcome` | `win`, `draw` or `loss` for the side to move |
| `turns` | turns of both players to the end, if the winner hurries and the loser delays; null for draws, \
and if the table has only outcomes |
| `turns_available` | all turns, best first: `turn` in the coordinates of the player who makes it, \
`turn_position`, the position it leads to (seen by the other player), and `turn_outcome` and `turn_turns`, \
its value for the player who makes it, including this turn. Turns to the same position are listed once |
";
