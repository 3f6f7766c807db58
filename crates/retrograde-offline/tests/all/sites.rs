//! Tests that a game of a site answers as from disk, regardless of the order in which bytes arrive, and that
//! truncation and damage are reported and never become a value.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use retrograde_explore::{AnyGame, Loader, OpenGame, Registry, SearchLimits, SolveOptions};
use retrograde_game::Seat;
use retrograde_offline::{Need, SiteGames, answers_ahead, answers_split_at, opening_file, opening_ranges};
use retrograde_solve::Silent;
use retrograde_table::directory_name;
use retrograde_table::site::{SITE_FORMAT, SiteFile, SiteGame, SiteIndex};
use retrograde_testkit::some_of;
use serde_json::{Value as Json, json};

static GAMES: LazyLock<Registry> = LazyLock::new(retrograde_games::registry);

/// A site with one game, in memory, with a log of requests.
struct Host {
    index: String,
    game: String,
    files: BTreeMap<String, Vec<u8>>,
    asked: Vec<(String, u64, u64)>,
    /// The number of rounds.
    rounds: usize,
}

impl Host {
    /// The site of a game that is solved in a directory, with files split into pieces.
    fn new(tables: &Path, game: &str, piece: Option<u64>) -> Host {
        let (mut files, mut site_files) = (BTreeMap::new(), Vec::new());
        let there = retrograde_testkit::files(&tables.join(directory_name(game)));
        for (name, bytes) in there.into_iter().filter(|(name, _)| !name.ends_with("lock")) {
            let file = SiteFile {
                digest: blake3::hash(&bytes).to_hex().to_string(),
                bytes: bytes.len() as u64,
                piece,
                name,
            };
            for (number, piece) in (0..).zip(file.pieces("tables/game")) {
                let start = (number * file.piece.unwrap_or(0)) as usize;
                files.insert(piece.path, bytes[start..start + piece.bytes as usize].to_vec());
            }
            site_files.push(file);
        }
        let site_game = SiteGame {
            game: game.to_owned(),
            board: None,
            folder: "tables/game".to_owned(),
            files: site_files,
            puzzles: None,
            ahead: None,
            answers: Vec::new(),
            opening: None,
            summary: Json::Null,
        };
        let index = SiteIndex {
            format: SITE_FORMAT,
            program: "test".to_owned(),
            module: "retrograde.wasm".to_owned(),
            workshop: None,
            games: vec![site_game],
        };
        let index = index.write().unwrap();
        Host { index, game: game.to_owned(), files, asked: Vec::new(), rounds: 0 }
    }

    /// Repeats an attempt until nothing is missing, as a page does.
    fn until_told(
        &mut self,
        site: &mut SiteGames<'_>,
        mut ask: impl FnMut(&mut SiteGames<'_>) -> String,
    ) -> Json {
        loop {
            let answer: Json = serde_json::from_str(&ask(site)).unwrap();
            if answer["status"] != 102 {
                return answer;
            }
            self.rounds += 1;
            for need in answer["body"]["need"].as_array().unwrap() {
                let path = need["path"].as_str().unwrap();
                let (from, to) = (need["from"].as_u64().unwrap(), need["to"].as_u64().unwrap());
                let file = &self.files[path];
                assert!(from < to && to <= need["bytes"].as_u64().unwrap(), "{need}");
                // If its files are truncated, a host returns what it has.
                let end = (to as usize).min(file.len());
                site.give(path, from, file[(from as usize).min(end)..end].to_vec());
                self.asked.push((path.to_owned(), from, to));
                if end < to as usize {
                    return json!({"status": 0, "body": "the host gave too few bytes"});
                }
            }
        }
    }

    fn open<'r>(&mut self, limit: u64) -> (SiteGames<'r>, Json) {
        let mut site = SiteGames::new(&GAMES, self.index.as_bytes(), limit).unwrap();
        let game = self.game.clone();
        let answer = self.until_told(&mut site, |site| site.open(&game));
        (site, answer)
    }

    fn ask(&mut self, site: &mut SiteGames<'_>, what: &str, query: &Json) -> Json {
        let question = json!({"path": format!("games/{}/{what}", self.game), "query": query}).to_string();
        self.until_told(site, |site| site.ask(question.as_bytes()))
    }
}

/// Solves a game and returns the directory of its tables.
fn solved(name: &str, options: &SolveOptions) -> retrograde_testkit::TempDir {
    let tables = retrograde_testkit::tempdir().unwrap();
    GAMES.find(name, &Loader::none()).unwrap().solve(tables.path(), options, &Silent).unwrap();
    tables
}

/// Solves it with the solver that works phase by phase.
fn archived() -> SolveOptions {
    SolveOptions { with_wins: true, memory: Some(20 << 20), threads: 1, ..SolveOptions::default() }
}

const ARCHIVED: &str = "pushfight:mini,pushers=1,pawns=1";
const ROOM: u64 = 8 << 20;

/// Walks through a game, not always by best turns, and compares all answers with those from disk.
fn same_as_on_disk(host: &mut Host, site: &mut SiteGames<'_>, disk: &OpenGame) {
    let mut position = disk.start();
    for round in 0..25 {
        let answer = host.ask(site, "positions", &json!({"position": position}));
        assert_eq!(answer["status"], 200, "{answer}");
        let known = disk.probe(&position, Seat::First, &SearchLimits::default()).unwrap();
        let known = serde_json::to_value(known).unwrap();
        assert_eq!(answer["body"], known, "{position}");
        same_value_alone(host, site, &position, &known);
        let turns = known["turns_available"].as_array().unwrap();
        let Some(turn) = turns.get(round * 7 % turns.len().max(1)) else { break };
        position = turn["position"].as_str().unwrap().to_owned();
    }
}

/// The value of a position without its turns is the same as with them.
fn same_value_alone(host: &mut Host, site: &mut SiteGames<'_>, position: &str, known: &Json) {
    let answer = host.ask(site, "positions", &json!({"position": position, "limit": 0}));
    let count = known["turns_available"].as_array().unwrap().len();
    let mut expected = known.clone();
    expected["turns_available"] = json!([]);
    if count > 0 {
        expected["page"] = json!({"offset": 0, "count": count});
    }
    assert_eq!(answer["body"], expected, "{position}");
}

#[test]
fn the_value_of_a_position_needs_less_than_those_of_its_turns() {
    let tables = solved(ARCHIVED, &archived());
    let disk = on_disk(tables.path(), ARCHIVED);
    let mut host = Host::new(tables.path(), disk.name(), None);
    let (mut alone, mut all) = (0, 0);
    for number in (0..4000).step_by(97) {
        let Ok(at) = disk.position(&number.to_string(), None) else { continue };
        for (query, asked) in [
            (json!({"position": at.position, "limit": 0}), &mut alone),
            (json!({"position": at.position}), &mut all),
        ] {
            let (mut site, _) = host.open(ROOM);
            host.asked.clear();
            let answer = host.ask(&mut site, "positions", &query);
            assert_eq!(answer["status"], 200, "{answer}");
            *asked += host.asked.iter().map(|(_, from, to)| to - from).sum::<u64>();
        }
    }
    assert!(0 < alone && alone < all, "{alone} bytes for the values, {all} including the turns");
}

#[test]
fn a_site_gives_the_same_answers_as_the_disk() {
    for (name, options, piece) in [
        ("touchdown:4x3", SolveOptions::default(), None),
        ("touchdown:4x3", SolveOptions::default(), Some(4096)),
        ("tactics:3x3", SolveOptions::default(), None),
        ("pushfight:mini,pushers=1,pawns=1", SolveOptions::default(), Some(5000)),
        (ARCHIVED, archived(), None),
        (ARCHIVED, archived(), Some(4500)),
    ] {
        let tables = solved(name, &options);
        let disk = on_disk(tables.path(), name);
        let mut host = Host::new(tables.path(), disk.name(), piece);
        let is_archive = name.starts_with("pushfight");
        assert_eq!(host.files.keys().any(|path| path.contains("losses.rgp")), is_archive, "{name}");
        let without_wins = SolveOptions { with_wins: false, ..options.clone() };
        if options.with_wins {
            // Then only turns show what is won.
            let tables = solved(name, &without_wins);
            let disk = on_disk(tables.path(), name);
            let mut host = Host::new(tables.path(), disk.name(), piece);
            let (mut site, _) = host.open(ROOM);
            same_as_on_disk(&mut host, &mut site, &disk);
        }
        for limit in [ROOM, 0] {
            let (mut site, opened) = host.open(limit);
            assert_eq!(opened["status"], 200, "{name}: {opened}");
            same_as_on_disk(&mut host, &mut site, &disk);
            assert!(site.held().held <= site.held().limit, "{:?}", site.held());
            for (what, query) in [
                ("stats", json!({})),
                ("line", json!({})),
                ("steps", json!({})),
                ("find", json!({"outcome": "win", "limit": 3, "random": true})),
                ("puzzles", json!({"limit": 2})),
                ("puzzles/depths", json!({"kind": "win"})),
            ] {
                let answer = host.ask(&mut site, what, &query);
                assert_eq!(answer["status"], 200, "{name} {what}: {answer}");
            }
        }
    }
}

#[test]
fn all_turns_of_a_position_need_few_rounds() {
    let name = "touchdown:4x4";
    let tables = solved(name, &SolveOptions::default());
    let mut host = Host::new(tables.path(), name, None);
    let (mut site, _) = host.open(ROOM);
    host.rounds = 0;
    let answer = host.ask(&mut site, "positions", &json!({}));
    assert!(answer["body"]["turns_available"].as_array().unwrap().len() > 3);
    // The directory pages and the blocks.
    assert_eq!(host.rounds, 2);
    let asked = host.asked.len();
    host.ask(&mut site, "positions", &json!({}));
    assert_eq!((host.rounds, host.asked.len()), (2, asked), "cached bytes are not requested again");
}

#[test]
fn damage_is_reported_with_its_place_and_damaged_data_is_discarded() {
    for (name, options) in [("touchdown:4x3", SolveOptions::default()), (ARCHIVED, archived())] {
        let tables = solved(name, &options);
        let disk = on_disk(tables.path(), name);
        let whole = Host::new(tables.path(), disk.name(), None);
        for (path, file) in &whole.files {
            for at in some_of(3, (0..file.len()).step_by((file.len() / 40).max(1))) {
                let mut host = Host::new(tables.path(), disk.name(), None);
                host.files.get_mut(path).unwrap()[at] ^= 0x10;
                let (mut site, opened) = host.open(ROOM);
                let answers = if opened["status"] == 200 {
                    vec![
                        host.ask(&mut site, "positions", &json!({})),
                        host.ask(&mut site, "find", &json!({"outcome": "loss", "limit": 100})),
                    ]
                } else {
                    vec![opened]
                };
                for answer in answers {
                    if answer["status"] == 200 {
                        continue;
                    }
                    let detail = answer["body"]["detail"].as_str().unwrap();
                    let file = path.rsplit('/').next().unwrap();
                    assert!(detail.contains(file), "{path} {at}: {answer}");
                    // The page drops the damaged ranges, and correct bytes give the right answer.
                    assert!(!answer["damaged"].as_array().unwrap().is_empty(), "{answer}");
                    host.files.get_mut(path).unwrap()[at] = whole.files[path][at];
                    let (mut site, _) = host.open(ROOM);
                    same_as_on_disk(&mut host, &mut site, &disk);
                }
            }
        }
    }
}

#[test]
fn a_file_that_is_cut_off_gives_no_value() {
    let tables = solved(ARCHIVED, &archived());
    let disk = on_disk(tables.path(), ARCHIVED);
    let whole = Host::new(tables.path(), disk.name(), None);
    for path in whole.files.keys() {
        let mut host = Host::new(tables.path(), disk.name(), None);
        let file = host.files.get_mut(path).unwrap();
        file.truncate(file.len() / 2);
        let (mut site, opened) = host.open(ROOM);
        if opened["status"] == 200 {
            let answer = host.ask(&mut site, "positions", &json!({}));
            let known = disk.probe(&disk.start(), Seat::First, &SearchLimits::default()).unwrap();
            assert!(
                answer["status"] != 200 || answer["body"] == serde_json::to_value(known).unwrap(),
                "{path}"
            );
        }
    }
}

#[test]
fn wrong_sites_and_unknown_games_are_rejected() {
    let tables = solved("touchdown:3x3", &SolveOptions::default());
    let mut host = Host::new(tables.path(), "touchdown:3x3", None);
    let damaged = host.index.replacen("tables/game", "tables/gamf", 1);
    assert!(SiteGames::new(&GAMES, damaged.as_bytes(), ROOM).err().unwrap().contains("site.json"));
    assert!(SiteGames::new(&GAMES, b"<!doctype html>", ROOM).is_err());
    let mut site = SiteGames::new(&GAMES, host.index.as_bytes(), ROOM).unwrap();
    assert!(site.ask(b"{}").contains("no game is open"));
    host.game = "touchdown:5x5".to_owned();
    let (_, opened) = host.open(ROOM);
    assert_eq!(
        (opened["status"].as_u64(), &opened["body"]["title"]),
        (Some(404), &json!("There is no such game"))
    );
}

#[test]
fn a_question_that_reads_too_much_is_rejected() {
    let tables = solved("touchdown:4x3", &SolveOptions::default());
    let host = Host::new(tables.path(), "touchdown:4x3", None);
    let mut site = SiteGames::new(&GAMES, host.index.as_bytes(), ROOM).unwrap();
    // A page that never provides bytes.
    let last = (0..1000).map(|_| site.open("touchdown:4x3")).find(|reply| !reply.contains("\"status\":102"));
    assert!(last.unwrap().contains("reads more of the game's files"));
}

#[test]
fn questions_do_not_wait_for_each_other() {
    let name = "touchdown:4x4";
    let tables = solved(name, &SolveOptions::default());
    let disk = on_disk(tables.path(), name);
    let mut host = Host::new(tables.path(), name, None);
    let (mut site, _) = host.open(0);
    let start = disk.probe(&disk.start(), Seat::First, &SearchLimits::default()).unwrap();
    let questions: Vec<(String, Json)> = start
        .turns_available
        .iter()
        .map(|turn| {
            let path = format!("games/{name}/positions");
            let question = json!({"path": path, "query": {"position": turn.position}});
            let known = disk.probe(&turn.position, Seat::First, &SearchLimits::default()).unwrap();
            (question.to_string(), serde_json::to_value(known).unwrap())
        })
        .collect();
    let mut left = questions;
    for round in 0.. {
        assert!(round < 50, "they never end");
        left.retain(|(question, known)| {
            let answer: Json = serde_json::from_str(&site.ask(question.as_bytes())).unwrap();
            if answer["status"] == 200 {
                assert_eq!(&answer["body"], known);
                return false;
            }
            for need in answer["body"]["need"].as_array().unwrap() {
                let path = need["path"].as_str().unwrap();
                let range = need["from"].as_u64().unwrap() as usize..need["to"].as_u64().unwrap() as usize;
                site.give(path, range.start as u64, host.files[path][range].to_vec());
            }
            true
        });
        if left.is_empty() {
            break;
        }
    }
    assert!(site.held().held <= site.held().limit, "{:?}", site.held());
}

#[test]
fn answers_ahead_are_those_of_the_game() {
    for (name, options) in [("touchdown:4x3", SolveOptions::default()), (ARCHIVED, archived())] {
        let tables = solved(name, &options);
        let game = GAMES.find(name, &Loader::none()).unwrap();
        let disk = game.explore(tables.path()).unwrap().into();
        let ahead = answers_ahead(&GAMES, &game, &disk);
        assert!(ahead.long.is_empty());
        let ahead: BTreeMap<String, Json> = serde_json::from_str(&ahead.short).unwrap();
        // A long answer is stored separately, and is the same.
        let split = answers_split_at(2000, &GAMES, &game, &disk);
        let short: BTreeMap<String, Json> = serde_json::from_str(&split.short).unwrap();
        assert!(short.values().all(|answer| answer.to_string().len() <= 2000));
        assert!(!split.long.is_empty(), "{name}");
        let long = split.long.iter().map(|(question, text)| (question, serde_json::from_str(text).unwrap()));
        let together: BTreeMap<&String, Json> =
            short.iter().map(|(question, answer)| (question, answer.clone())).chain(long).collect();
        assert_eq!(together, ahead.iter().map(|(question, answer)| (question, answer.clone())).collect());
        assert!(ahead.contains_key("rules") && ahead.contains_key("view"), "{:?}", ahead.keys());
        let mut host = Host::new(tables.path(), disk.name(), None);
        let (mut site, _) = host.open(ROOM);
        for (question, known) in ahead {
            let (what, fields) = question.split_once('?').unwrap_or((&question, ""));
            let pairs = fields.split('&').filter_map(|field| field.split_once('='));
            let query: serde_json::Map<String, Json> =
                pairs.map(|(name, value)| (name.to_owned(), json!(value))).collect();
            assert_eq!(host.ask(&mut site, what, &Json::Object(query))["body"], known, "{name} {question}");
        }
    }
}

/// A game with its table on disk.
fn on_disk(tables: &Path, game: &str) -> OpenGame {
    let subject: Arc<AnyGame> = GAMES.find(game, &Loader::none()).unwrap();
    subject.explore(tables).unwrap()
}

#[test]
fn the_opening_ranges_are_all_that_opening_a_game_needs() {
    let tables = solved(ARCHIVED, &archived());
    let mut host = Host::new(tables.path(), ARCHIVED, Some(10_000));
    let disk = on_disk(tables.path(), ARCHIVED);
    let start = json!({"position": disk.start(), "to_move": "first"});
    let (mut asking, _) = host.open(ROOM);
    let value = host.ask(&mut asking, "positions", &start);
    assert!(host.rounds > 1, "{} rounds", host.rounds);

    let files = host.files.clone();
    let fetch = |need: &Need| Ok(files[&need.path][need.from as usize..need.to as usize].to_vec());
    let index = host.index.clone();
    let ranges = opening_ranges(&GAMES, index.as_bytes(), ARCHIVED, &disk.start(), fetch).unwrap();
    let mut site = SiteGames::new(&GAMES, index.as_bytes(), ROOM).unwrap();
    for range in &ranges {
        site.give(&range.path, range.from, range.bytes.clone());
    }
    host.rounds = 0;
    let opened: Json = serde_json::from_str(&site.open(ARCHIVED)).unwrap();
    assert_eq!(opened["status"], 200, "{opened}");
    assert_eq!(host.ask(&mut site, "positions", &start), value);
    assert_eq!(host.rounds, 0);

    // The file has a header of ranges, followed by their bytes.
    let bytes: usize = ranges.iter().map(|range| range.bytes.len()).sum();
    let heads: usize = ranges.iter().map(|range| range.path.len() + 14).sum();
    assert_eq!(opening_file(&ranges).len(), 4 + heads + bytes);
}

#[test]
fn missing_bytes_of_an_opening_are_reported() {
    let tables = solved("touchdown:3x3", &SolveOptions::default());
    let host = Host::new(tables.path(), "touchdown:3x3", None);
    let start = on_disk(tables.path(), "touchdown:3x3").start();
    let open = |fetch: &dyn Fn(&Need) -> Result<Vec<u8>, String>| {
        opening_ranges(&GAMES, host.index.as_bytes(), "touchdown:3x3", &start, fetch)
    };
    assert_eq!(open(&|_| Err("no disk".to_owned())).unwrap_err(), "no disk");
    let damaged = open(&|need| Ok(vec![0x55; (need.to - need.from) as usize])).unwrap_err();
    assert!(damaged.starts_with("touchdown:3x3 cannot be read from the site: "), "{damaged}");
}

/// The positions of a walk through a game, not always by best turns.
fn walk(disk: &OpenGame, most: usize) -> Vec<String> {
    let mut walk = vec![disk.start()];
    for round in 0..most {
        let turns = disk.turns(walk.last().unwrap()).unwrap();
        let Some((_, next)) = turns.get(round * 7 % turns.len().max(1)) else { break };
        walk.push(next.clone());
    }
    walk
}

#[test]
fn boards_and_turns_need_no_bytes_of_the_table() {
    for (name, options) in [("touchdown:4x3", SolveOptions::default()), (ARCHIVED, archived())] {
        let tables = solved(name, &options);
        let disk = on_disk(tables.path(), name);
        let mut host = Host::new(tables.path(), name, None);
        let mut site = SiteGames::new(&GAMES, host.index.as_bytes(), ROOM).unwrap();
        let ask = |site: &mut SiteGames<'_>, what: &str, query: Json, rules: bool| -> Json {
            let question = json!({"path": format!("games/{name}/{what}"), "query": query, "rules": rules});
            serde_json::from_str(&site.ask(question.to_string().as_bytes())).unwrap()
        };
        assert_eq!(ask(&mut site, "view", json!({}), true)["status"], 503, "no game was named");
        assert!(site.open(name).contains("\"status\":102"));
        assert_eq!(ask(&mut site, "positions", json!({}), false)["status"], 503, "its files are away");
        let (mut whole, _) = host.open(ROOM);
        let (mut known, mut unknown) = (0, 0);
        for position in walk(&disk, 30) {
            let query = json!({"position": position});
            // Boards do not need a table.
            let view = ask(&mut site, "view", query.clone(), true);
            assert_eq!(view["status"], 200, "{view}");
            assert_eq!(view, host.ask(&mut whole, "view", &query));
            // All turns are listed, and the known values are correct.
            let reply = ask(&mut site, "positions", query.clone(), true);
            let turns = reply["body"]["turns_available"].as_array().unwrap();
            let full = host.ask(&mut whole, "positions", &query);
            let full = full["body"]["turns_available"].as_array().unwrap();
            assert_eq!(turns.len(), full.len(), "{position}");
            for turn in turns {
                let same = full.iter().find(|same| same["turn"] == turn["turn"]).unwrap();
                if turn["outcome"] == "unknown" {
                    assert_eq!((&turn["position"], &turn["turns"]), (&same["position"], &Json::Null));
                    unknown += 1;
                } else {
                    assert_eq!(turn, same);
                    known += 1;
                }
            }
            let steps = ask(&mut site, "steps", query.clone(), true);
            let names = |answer: &Json| -> Vec<String> {
                let steps = answer["body"]["steps_available"].as_array().unwrap();
                let mut names: Vec<String> = steps.iter().map(|step| step["step"].to_string()).collect();
                names.sort();
                names
            };
            assert_eq!(names(&steps), names(&host.ask(&mut whole, "steps", &query)), "{position}");
        }
        assert!(known > 0 && unknown > 0, "{name}: {known} known, {unknown} unknown");
        assert_eq!(site.held().held, 0);
        // They still answer once the files are loaded.
        assert_eq!(
            ask(&mut whole, "view", json!({}), true)["body"],
            host.ask(&mut whole, "view", &json!({}))["body"]
        );
    }
}

#[test]
fn the_value_of_one_turn_needs_fewer_bytes_than_the_values_of_all() {
    let tables = solved(ARCHIVED, &archived());
    let disk = on_disk(tables.path(), ARCHIVED);
    let mut host = Host::new(tables.path(), ARCHIVED, None);
    let bytes = |host: &mut Host, query: &Json| -> (Json, u64, usize) {
        let (mut site, _) = host.open(ROOM);
        host.asked.clear();
        host.rounds = 0;
        let reply = host.ask(&mut site, "positions", query);
        assert_eq!(reply["status"], 200, "{reply}");
        (reply["body"].clone(), host.asked.iter().map(|(_, from, to)| to - from).sum(), host.rounds)
    };
    let (mut less, mut compared) = (0, 0);
    for position in walk(&disk, 12).split_off(2) {
        let (all, most, all_rounds) = bytes(&mut host, &json!({"position": position}));
        let turns = all["turns_available"].as_array().unwrap();
        for turn in turns.iter().step_by(turns.len() / 6 + 1) {
            let text = turn["turn"].as_str().unwrap();
            let (one, few, rounds) = bytes(&mut host, &json!({"position": position, "moves": text}));
            assert_eq!(one["turns_available"], json!([turn]), "{position} {text}");
            assert_eq!((&one["outcome"], &one["turns"]), (&all["outcome"], &all["turns"]));
            let reply = format!("{position} {text}: {few} of {most} bytes, {rounds} of {all_rounds} rounds");
            assert!(few <= most && rounds <= all_rounds, "{reply}");
            less += u32::from(few < most);
            // The same with the first step of the turn: its turns lead to the same positions as in the
            // complete list.
            let Some((step, _)) = text.split_once(',') else { continue };
            let query = json!({"position": position, "moves": step});
            let (begun, some, _) = bytes(&mut host, &query);
            assert!(some <= most);
            for begun in begun["turns_available"].as_array().unwrap() {
                let same = turns.iter().find(|turn| turn["position"] == begun["position"]).unwrap();
                assert_eq!((&same["outcome"], &same["turns"]), (&begun["outcome"], &begun["turns"]));
                compared += 1;
            }
            let (mut site, _) = host.open(ROOM);
            let next = host.ask(&mut site, "steps", &query);
            let best = &next["body"]["steps_available"][0];
            let first = &begun["turns_available"][0];
            assert_eq!((&best["outcome"], &best["turns"]), (&first["outcome"], &first["turns"]));
        }
    }
    assert!(less > 0 && compared > 0, "{less} turns needed less; {compared} compared");
}
