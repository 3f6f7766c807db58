//! Tests of the commands on the built-in games, with right and wrong input.

#[cfg(unix)]
mod devices;
#[cfg(unix)]
mod limits;

use std::path::Path;
use std::process::Stdio;

use serde_json::Value as Json;

use crate::common::{answer, fails, failure, json, list, names, new_folder, prints, program, run, solved};

#[test]
fn games_are_solved_and_probed() {
    let tables = &new_folder();
    let solved = json(tables, &["solve", "tactics"]);
    assert_eq!(solved["wins"], 56_968);
    assert_eq!(solved["losses"], 8_568);
    assert_eq!(solved["start"]["outcome"], "loss");
    assert_eq!(solved["start"]["turns"], 15);
    let solved = json(tables, &["solve", "touchdown"]);
    assert_eq!(
        (&solved["positions"], &solved["wins"], &solved["losses"]),
        (&755_591.into(), &220_104.into(), &535_487.into())
    );
    assert_eq!(solved["start"]["outcome"], "win");
    prints(tables, &["solve", "tactics", "touchdown"], "Blue wins in 15 turns.");

    let probe = json(tables, &["probe", "touchdown", "...O/..O./..../.XX."]);
    assert_eq!((&probe["outcome"], &probe["source"]), (&"win".into(), &"table".into()));
    let first = &probe["turns_available"][0];
    assert_eq!(first["outcome"], "win");
    assert_eq!(first["turns"], probe["turns"]);
    let lost = json(tables, &["probe", "touchdown", "...O/..O./..X./.X.."]);
    assert_eq!(lost["outcome"], "loss");

    let line = json(tables, &["line", "tactics"]);
    assert_eq!(line["line"].as_array().unwrap().len(), 15);
    assert_eq!(line["ends"], "over");
    assert_eq!(json(tables, &["stats", "tactics"])["by_turns"]["loss"]["15"], 1);
    prints(tables, &["stats", "touchdown"], "755,591");
    let dump = answer(tables, &["stats", "touchdown", "--numbering", "24-bit"]);
    for figure in ["14509963", "1511662", "220104", "535487", "Starting position"] {
        assert!(dump.contains(figure), "{dump}");
    }
    let reductions = answer(tables, &["games", "touchdown", "--numbering", "24-bit"]);
    for figure in ["10,682,368", "4,693,459", "2,267,253"] {
        assert!(reductions.contains(figure), "{reductions}");
    }
    let found = json(tables, &["find", "touchdown", "--outcome", "win", "--turns", "11", "--limit", "1"]);
    assert_eq!(found["turns"], 11);
    prints(tables, &["puzzles", "touchdown", "--turns", "5", "--solutions"], "Solution:");
    sheets_are_printed(tables);
    for game in ["tactics", "touchdown"] {
        let verified = json(tables, &["verify", game, "--full"]);
        assert_eq!((&verified["proved"], &verified["error_count"]), (&true.into(), &0.into()));
    }
}

/// Puzzles of one turn are found if they are requested, or if there are no others.
#[test]
fn puzzles_of_one_turn_come_last() {
    let files = solved(&["touchdown:3x3", "touchdown:2x3"]);
    let turns = |arguments: &[&str]| -> Vec<u64> {
        let puzzles = list(&files, &[&["puzzles"], arguments, &["--limit", "100"]].concat());
        puzzles.iter().map(|puzzle| puzzle["turns"].as_u64().unwrap()).collect()
    };
    for seed in [&[][..], &["--seed", "1"]] {
        let any = turns(&[&["touchdown:3x3"], seed].concat());
        assert!(any.len() == 22 && any.iter().all(|&turns| turns > 1), "{any:?}");
        assert_eq!(turns(&[&["touchdown:3x3", "--turns", "1"], seed].concat()), [1; 82]);
        assert_eq!(turns(&[&["touchdown:2x3"], seed].concat()), [1; 8]);
    }
}

/// A sheet has two pages, puzzles and solutions; after an error there are no files.
fn sheets_are_printed(tables: &Path) {
    let folder = new_folder();
    let path = |name: &str| folder.join(name);
    let name = |name: &str| path(name).to_str().unwrap().to_owned();
    let sheet = name("sheet.svg");
    let puzzles = ["puzzles", "touchdown", "--turns", "5", "--seed", "1"];
    let drawn = json(tables, &[&puzzles[..], &["--sheet", &sheet]].concat());
    assert_eq!(drawn["files"], serde_json::json!([sheet, name("sheet-solutions.svg")]));
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let (tasks, solutions) = (read("sheet.svg"), read("sheet-solutions.svg"));
    let boards = |page: &str| page.matches("<g transform=").count();
    assert_eq!((boards(&tasks), boards(&solutions)), (6, 6));
    assert!(
        tasks.contains("<title>6 puzzles of touchdown:4x4</title>") && tasks.contains("height=\"297mm\"")
    );
    // Only the solutions have arrows.
    let arrows =
        |page: &str| page.matches("stroke=\"#3b2b00\"").count() + page.matches("stroke=\"#ffffff\"").count();
    assert!(arrows(&tasks) == 0 && arrows(&solutions) >= 6, "{} {}", arrows(&tasks), arrows(&solutions));
    let output = answer(
        tables,
        &["puzzles", "tactics", "--kind", "save", "--limit", "1", "--sheet", &name("one.png")],
    );
    assert!(output.starts_with("1 puzzle drawn to"), "{output}");
    assert!(std::fs::read(path("one-solutions.png")).unwrap().starts_with(b"\x89PNG"));
    for (arguments, status, expected) in [
        (["--limit", "13", "--sheet", &name("no.svg")], 1, "a sheet can have 1 to 12 puzzles, not 13"),
        (["--limit", "0", "--sheet", &name("no.svg")], 2, "at least 1"),
        (["--limit", "6", "--sheet", &name("no.pdf")], 1, "must end in .svg or .png"),
        (["--turns", "99", "--sheet", &name("no.svg")], 3, "There is no such puzzle"),
        (["--limit", "6", "--sheet", &name("none/no.svg")], 1, "there is no folder"),
    ] {
        fails(tables, &[&["puzzles", "touchdown"], &arguments[..]].concat(), status, expected);
    }
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 4, "nothing half written");
}

#[test]
fn tables_of_outcomes_have_statistics_and_plots() {
    let tables = &new_folder();
    for (game, positions, wins, losses) in
        [("tactics:4x4", "65,536", "56,968", "8,568"), ("touchdown:4x3", "41,681", "10,036", "31,645")]
    {
        answer(tables, &["solve", game, "--outcome-only"]);
        let plot = tables.join(game.replace(':', "-")).with_extension("svg");
        let counts = json(tables, &["stats", game]);
        for (field, expected) in
            [("positions", positions), ("wins", wins), ("losses", losses), ("draws", "0")]
        {
            assert_eq!(counts[field].to_string(), expected.replace(',', ""), "{game}");
        }
        let text = answer(tables, &["stats", game, "--out", plot.to_str().unwrap()]);
        for words in [format!("{positions} positions"), format!("won {wins} ("), format!("lost {losses} (")] {
            assert!(text.contains(&words), "{words}: {text}");
        }
        assert!(text.contains("only outcomes"), "{text}");
        let svg = std::fs::read_to_string(&plot).unwrap();
        assert!(svg.contains(&format!("{positions} positions for the side to move: {wins} won (")), "{svg}");
        assert!(svg.contains(&format!("<title>lost: {losses}</title>")), "{svg}");
    }
}

#[test]
fn reachable_positions_are_counted() {
    let tables = &new_folder();
    let solved = json(tables, &["solve", "touchdown:4x4", "--reachable"]);
    let found = json(tables, &["reachable", "touchdown:4x4"]);
    // The table has the positions that the rules do not end, including those without a turn.
    let stuck = &solved["by_turns"]["loss"]["0"];
    let [reachable, stuck, positions] =
        [&found["reachable"], stuck, &solved["positions"]].map(|count| count.as_u64().unwrap());
    assert!(stuck > 0);
    assert_eq!(reachable + stuck, positions);
    assert_eq!(solved["counted"], "reachable positions");
    let found = json(tables, &["reachable", "pushfight:mini,pushers=1,pawns=1"]);
    // One of seven squares for a pusher and of six for a pawn, for each side; before that, one side
    // has placed or neither has.
    let placements = 42 * 42 + 42 + 1;
    assert_eq!((&found["before"], &found["with_images"]), (&placements.into(), &true.into()));
    let text = answer(tables, &["reachable", "pushfight:mini,pushers=1,pawns=1"]);
    assert!(text.contains("7,056") && text.contains("or a symmetric one is reachable"), "{text}");
    let refused = failure(tables, &["reachable", "pushfight", "--memory", "1G"], 1);
    assert!(refused.contains("pushfight:standard") && refused.contains("GB"), "{refused}");
    fails(tables, &["reachable", "touchdown:6x6", "--memory", "1M"], 1, "touchdown:6x6");
}

#[test]
fn positions_are_numbered_counted_and_drawn() {
    let tables = &new_folder();
    let numbered = json(tables, &["index", "pushfight", ".OX.....oxY....Oox.....OX."]);
    assert_eq!(numbered["index"], 194_131_815_839_u64);
    let back = json(tables, &["position", "pushfight", "194131815839"]);
    assert_eq!(back["position"], ".OX.....oxY....Oox.....OX.");
    prints(tables, &["position", "touchdown", "--numbering", "24-bit", "0x341964"], "..O./.OX./O..X/X...");
    for index in ["3414372", "0x341964", "0X341964"] {
        let found = answer(tables, &["position", "touchdown", "--numbering", "24-bit", index]);
        assert!(found.contains("..O./.OX./O..X/X..."), "{index}");
    }
    assert_eq!(answer(tables, &["perft", "tactics:2x2", "--depth", "0"]), "1 leaf at depth 0\n");
    let limited = ["perft", "tactics:5x4", "--depth", "6", "--nodes", "50"];
    let output = run(tables, &limited);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.starts_with("at least ") && text.ends_with("6 (stopped by --time or --nodes)\n"), "{text}");
    let output = run(tables, &[&limited[..4], &["--time", "0", "--json"]].concat());
    let counted: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &counted["incomplete"]), (Some(3), &true.into()), "{counted}");
    let placed = tables.join("placed.gif");
    let turns = "O:a2,b1 o:b2,c1 X:d2,d1 x:d3,f2 b2-c2,b1-c3,c3-d3";
    let drawn =
        json(tables, &["render", "pushfight:mini", "--turns", turns, "--out", placed.to_str().unwrap()]);
    assert_eq!(drawn["files"][0], placed.to_str().unwrap());
    let plan = json(tables, &["plan", "tactics"]);
    assert_eq!(plan["tables"], tables.to_str().unwrap());
    assert!(plan["disk_free"].as_u64().is_none_or(|free| free > 0));
    prints(tables, &["plan", "tactics"], tables.to_str().unwrap());
    assert_eq!(json(tables, &["perft", "tactics:2x2", "--depth", "1"])["leaves"], 8);
    assert_eq!(json(tables, &["perft", "pushfight", "--depth", "1"])["leaves"], 12_870);
    for game in ["tactics", "touchdown", "pushfight"] {
        for (ending, start) in [("svg", &b"<svg"[..]), ("png", b"\x89PNG"), ("gif", b"GIF89a")] {
            let out = tables.join(format!("{game}.{ending}"));
            answer(tables, &["render", game, "--out", out.to_str().unwrap()]);
            assert!(std::fs::read(&out).unwrap().starts_with(start), "{out:?}");
        }
    }
    answer(tables, &["solve", "tactics:3x3"]);
    let out = tables.join("set.csv");
    answer(tables, &["export", "tactics:3x3", "--out", out.to_str().unwrap()]);
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count(), 513);
    let games = answer(tables, &["games"]);
    for figure in ["401,567,166,000", "755,591", "65,536"] {
        assert!(games.contains(figure), "{games}");
    }
    assert_eq!(json(tables, &["plan", "pushfight", "--memory", "1G"])["fits"], false);
    // First whole, then in parts, which take longer and more disk space.
    let whole = json(tables, &["plan", "pushfight", "--memory", "20G"]);
    let parts = json(tables, &["plan", "pushfight", "--memory", "4G"]);
    assert_eq!((&whole["method"], &parts["method"]), (&"phases".into(), &"phases".into()));
    let number = |plan: &Json, name: &str| plan[name].as_f64().unwrap();
    assert!(number(&whole, "memory") > 1e10 && number(&parts, "memory") < 4e9);
    assert!(number(&parts, "work") > number(&whole, "work"));
    assert_eq!(json(tables, &["plan", "tactics:5x5"])["method"], "fill");
    prints(tables, &["completions", "bash"], "retrograde");
}

#[test]
fn a_numbering_belongs_to_a_game() {
    let folder = new_folder();
    failure(&folder, &["games", "--numbering", "24-bit"], 2);
    failure(&folder, &["index", "touchdown", "--numbering", "none", "OOOO/..../..../XXXX"], 1);
}

#[test]
fn errors_on_wrong_input_are_plain() {
    let tables = &new_folder();
    for (arguments, code, reason) in [
        (
            &["probe", "chess"][..],
            1,
            "there is no such game; the games are `tactics`, `touchdown` and `pushfight`",
        ),
        (&["probe", "tactic"], 1, "tactics"),
        (&["probe", "touchdown", "XX?"], 1, "'?'"),
        (&["stats", "touchdown"], 1, "there is no table"),
        (&["solve", "tactics:9x9"], 1, "63 squares"),
        (&["solve", "tactics", "--memory", "lots"], 2, "expected a size"),
        (&["find", "touchdown", "--outcome", "lost"], 2, "possible values"),
        (&["find", "touchdown", "--outcome", "win", "--limit", "0"], 2, "at least 1"),
        (&["perft", "tactics"], 2, "--depth"),
        (&["position", "tactics", "65536"], 1, "65536"),
        (&["render", "tactics", "--out", "a.jpg"], 1, ".svg"),
        (&["frobnicate"], 2, "frobnicate"),
        (&["solve", "pushfight", "--memory", "1G"], 1, "memory"),
        (&["position", "tactics", "0x"], 1, "hexadecimal"),
        (&["position", "tactics", "0x+1"], 1, "'+' at character 3"),
        (&["position", "tactics", "0x100000000000000000000000000000000"], 1, "too large"),
        (&["render", "tactics", "--out", "nowhere/a.svg"], 1, "no folder “nowhere”"),
        (&["annotate", "tactics", "nowhere.txt"], 1, "no such file"),
        (&["play", "tactics", "--json"], 1, "--json"),
        (&["probe", "pushfight:odd3-4b600fb4"], 1, "name the file itself, which ends in .board"),
    ] {
        fails(tables, arguments, code, reason);
    }
}

/// Options without effect are rejected.
#[test]
fn no_option_is_ignored() {
    let tables = &new_folder();
    answer(tables, &["solve", "tactics:2x2"]);
    let out = |name: &str| tables.join(name).to_str().unwrap().to_owned();
    let mate = "+-+-+-+-+/ . o O x /+-+-+-+-+";
    for (arguments, code, reason) in [
        (&["mate", mate, "--moves", "unlimited", "--method", "sat"][..], 1, "--method finds the smallest"),
        (&["mate", mate, "--moves", "unlimited", "--method", "search"], 1, "--method finds the smallest"),
        (&["mate", mate, "--moves", "unlimited", "--memory", "1G"], 1, "--memory limits a search"),
        (&["mate", mate, "--method", "sat", "--memory", "1G"], 1, "--memory limits a search"),
        (&["mate", mate, "--dark"], 2, "--out"),
        (&["mate", mate, "--width", "100"], 2, "--out"),
        (&["board", "show", mate, "--width", "100"], 2, "--out"),
        (&["mate", mate, "--width", "100", "--out", &out("a.svg")], 1, "--width is only for .png and .gif"),
        (&["render", "tactics:2x2", "--width", "100", "--out", &out("a.svg")], 1, "--width is only for"),
        (&["find", "tactics:2x2", "--outcome", "win", "--seed", "3"], 2, "--random"),
        (&["export", "tactics:2x2", "--seed", "3", "--out", &out("a.csv")], 2, "--sample"),
        (&["export", "tactics:2x2", "--format", "html", "--count", "3", "--out", &out("a")], 1, "--count"),
        (&["stats", "touchdown", "--numbering", "24-bit", "--out", &out("a.svg")], 2, "--out"),
        (&["probe", "tactics:2x2", "-", "--all"], 1, "--all lists turns only for a single position"),
        (&["probe", "tactics:2x2", "-", "--pressure"], 1, "--pressure counts replies only for a single"),
        (&["puzzles", "tactics:2x2", "--limit", "0"], 2, "--limit"),
        (&["export", "pushfight:mini", "--format", "phase0", "--count", "0", "--sha256"], 2, "--count"),
        #[cfg(feature = "cluster")]
        (&["solve", "tactics:2x2", "--workers", "2"], 2, "--processes"),
        #[cfg(feature = "cluster")]
        (&["solve", "tactics:2x2", "--timeout", "2"], 2, "--processes"),
    ] {
        fails(tables, arguments, code, reason);
    }
    assert!(!tables.join("a.svg").exists());
    // With a number of moves the method is used, and the answer is the same.
    for method in ["search", "sat"] {
        assert_eq!(json(tables, &["mate", mate, "--moves", "2", "--method", method])["moves"], 0);
    }
}

#[cfg(unix)]
#[test]
fn a_reader_can_close_the_pipe_at_any_time() {
    let tables = &new_folder();
    answer(tables, &["solve", "tactics"]);
    for arguments in
        [&["find", "tactics", "--outcome", "win", "--limit", "60000"][..], &["completions", "bash"]]
    {
        let mut child = program()
            .args(arguments)
            .arg("--tables")
            .arg(&**tables)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

/// Compares solvers with the slow sweep on real games. Tests of `retrograde-tactics` and `retrograde-solve` do so
/// for the other solvers of Tactics.
#[test]
fn all_solvers_agree_on_real_games() {
    use retrograde_game::{Game, GameSpec, Index, Predecessors, Score, Stored, Symmetries};
    use retrograde_solve::reachable::{self, ByPack, Reachable};
    use retrograde_solve::{Job, NoCheckpoint, Scores, Silent, graded, retrograde::Retrograde, sweep};

    fn job(checkpoint: &mut NoCheckpoint) -> Job<'_> {
        Job { threads: 2, memory: 1 << 30, horizon: None, progress: &Silent, checkpoint }
    }
    fn judged<G: Predecessors + Symmetries>(game: &G) -> Scores {
        let judge = sweep::solve(game, &mut job(&mut NoCheckpoint)).unwrap();
        let able = Retrograde::new(game).predecessors().symmetries();
        assert!(able.solve(&mut job(&mut NoCheckpoint)).unwrap() == judge, "{}", game.name());
        judge
    }
    for name in ["tactics:3x3", "tactics:4x3,normal", "tactics:5x2,line=2"] {
        judged(&retrograde_tactics::Tactics::from_spec(GameSpec::parse(name).unwrap()).unwrap());
    }
    for name in ["touchdown:2x3", "touchdown:3x3", "touchdown:3x4"] {
        let game = retrograde_touchdown::TouchDown::from_spec(GameSpec::parse(name).unwrap()).unwrap();
        let judge = judged(&game);
        assert!(graded::solve(&game, &mut job(&mut NoCheckpoint)).unwrap() == judge, "{name}");
        let coded = Reachable::graded(&game, ByPack, &game.start());
        let reached = reachable::solve(&coded, &job(&mut NoCheckpoint)).unwrap();
        for reached in reached.iter().unwrap() {
            let (index, score) = reached.unwrap();
            assert_eq!(judge.stored(Index(index)), score.stored(), "{name}");
        }
        assert!(!reached.counts().is_empty(), "{name}");
    }
    for name in ["pushfight:mini,pushers=1,pawns=1", "pushfight:mini,pushers=1,pawns=0,moves=1"] {
        let game = retrograde_testkit::push_fight(name);
        let judge = judged(&game);
        assert!(Retrograde::new(&game).solve(&mut job(&mut NoCheckpoint)).unwrap() == judge, "{name}");
        assert_ne!(judge.stored(Index(0)), Stored::Nothing);
    }
}

#[test]
fn a_board_too_large_for_a_table_has_its_own_files() {
    let files = new_folder();
    let game = "pushfight:mini,pushers=2,pawns=1";
    let solved = json(&files, &["solve", game, "--memory", "18M"]);
    assert_eq!(solved["counted"], "plausible positions");
    assert_eq!(solved["positions"], 394_560);
    assert!(solved["phases"].as_array().unwrap().len() > 10);
    let names = names(&files.join("pushfight_mini+pawns-1"));
    assert!(names.contains(&"losses.rgp".to_owned()) && !names.iter().any(|name| name.starts_with("phase")));

    // The formats of the first complete solution's files.
    let export = |tables: &Path, form: &str| {
        let out = tables.join("out.bin");
        let out_name = out.to_str().unwrap();
        answer(tables, &["export", game, "--format", form, "--chunk", "0", "--out", out_name, "--force"]);
        std::fs::read(out).unwrap()
    };
    let merged = export(&files, "merged");
    assert_eq!(merged.len(), 1_081_080);
    let won = export(&files, "phase0");
    // Small boards have wins in one turn that leave the opponent without a push.
    let ejects = |at: usize| won[at / 8] >> (at % 8) & 1 == 1;
    assert!(merged.iter().enumerate().all(|(at, &value)| value == 2 || !ejects(at)));
    let (in_one, ejecting) =
        (merged.iter().filter(|&&value| value == 2).count(), (0..merged.len()).filter(|&at| ejects(at)));
    assert!((in_one * 9 / 10..=in_one).contains(&ejecting.count()));
    let phase = export(&files, "phase:2");
    let digit = |at: usize| phase[at / 5] / 3_u8.pow((at % 5) as u32) % 3;
    for (at, &value) in merged.iter().enumerate() {
        let expected = match value {
            2 | 4 => 2,
            1 | 3 => 1,
            _ => 0,
        };
        assert_eq!(digit(at), expected, "{at}");
    }
    failure(&files, &["export", game, "--format", "merged", "--chunk", "1", "--out", "x.bin"], 1);
    failure(&files, &["export", game, "--format", "phase:x", "--out", "x.bin"], 1);
}

#[test]
fn probe_shows_nimbers_of_impartial_games_in_normal_play() {
    let tables = &new_folder();
    // Kayles with four pins has nimber 1; a turn leaves one, two or three pins, or two rows.
    let probed = json(tables, &["probe", "tactics:4x1,line=2,normal", "--nimbers"]);
    assert_eq!(probed["nimber"], 1, "{probed}");
    let mut left: Vec<u64> = probed["turns_available"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["nimber"].as_u64().unwrap())
        .collect();
    left.sort_unstable();
    assert_eq!(left, [0, 2, 2, 3, 3, 3, 3]);
    let text = answer(tables, &["probe", "tactics:3x3,normal", "--nimbers"]);
    assert!(text.contains("Its nimber is") && text.contains("leaves nimber 0"), "{text}");
    let without = json(tables, &["probe", "tactics:4x1,line=2,normal"]);
    assert!(without.get("nimber").is_none());
    for game in ["tactics:3x3", "touchdown:3x3"] {
        fails(tables, &["probe", game, "--nimbers"], 1, "has no nimbers");
    }
}

#[test]
fn mirror_images_decide_a_large_board_without_a_table() {
    let tables = &new_folder();
    for (game, outcome) in [("tactics:7x9,normal", "win"), ("tactics:6x8,normal", "loss")] {
        let probed = json(tables, &["probe", game, "--time", "1", "--nodes", "1000"]);
        assert_eq!(probed["outcome"], outcome, "{game}");
        assert_eq!(probed["source"], "search", "{game}");
    }
}
