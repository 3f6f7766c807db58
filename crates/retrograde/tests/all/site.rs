//! Tests of sites: repeated exports into one folder, and `--tables https://…` with good and bad
//! hosts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_table::DiskStorage;
use retrograde_table::site::{SiteFolder, SiteIndex};

use crate::common::{self, Folder, answer, fails, failure, files, json, new_folder, prints};

const GAMES: [&str; 3] = ["touchdown:4x3", "tactics:4x4", "pushfight:mini,pushers=1,pawns=1,moves=1"];

/// A folder with tables of small games, and a path for a site.
fn solved() -> (Folder, PathBuf, PathBuf) {
    let folder = new_folder();
    let (tables, site) = (folder.join("tables"), folder.join("site"));
    answer(&tables, &[&["solve"], &GAMES[..]].concat());
    (folder, tables, site)
}

/// Exports a site. Sampling puzzles takes ten times as long as the rest.
fn export(tables: &Path, site: &Path, more: &[&str]) -> String {
    let begin = ["export", "site", "--out", site.to_str().unwrap()];
    answer(tables, &[&begin[..], &GAMES, more].concat())
}

fn index(site: &Path) -> SiteIndex {
    SiteFolder::new(Arc::new(DiskStorage), site).index().unwrap().unwrap()
}

/// Compares the reassembled tables of a site with the originals.
fn assert_whole(tables: &Path, site: &Path, most: u64) {
    let there = files(site);
    let index = index(site);
    assert!(there.contains_key(&index.module) && there.contains_key("index.html"));
    assert_eq!(index.games.len(), GAMES.len());
    for game in &index.games {
        assert!(
            there[&game.puzzles.as_ref().unwrap().path].len() as u64 == game.puzzles.as_ref().unwrap().bytes
        );
        for file in &game.files {
            let pieces: Vec<&Vec<u8>> = file.pieces(&game.folder).map(|piece| &there[&piece.path]).collect();
            assert!(pieces.iter().all(|piece| piece.len() as u64 <= most));
            let whole = fs::read(tables.join(game.directory()).join(&file.name)).unwrap();
            assert!(pieces.into_iter().flatten().eq(&whole), "{} of {}", file.name, game.game);
        }
    }
}

#[test]
fn a_site_matches_its_index_and_a_new_export_removes_nothing() {
    let (_folder, tables, site) = solved();
    let output = export(&tables, &site, &[]);
    assert!(output.contains("written") && output.contains("http.server"), "{output}");
    assert_whole(&tables, &site, u64::MAX);
    let first = files(&site);
    assert!(first.contains_key(".nojekyll") && first["_headers"].starts_with(b"/assets/*"));
    assert!(!first.keys().any(|path| path.ends_with(".tmp") || path.ends_with("lock")), "{:?}", first.keys());
    // Exporting again changes nothing.
    assert!(export(&tables, &site, &["--prune"]).contains("unchanged"));
    assert!(files(&site) == first);
    // In pieces, the files have other addresses; the old ones stay until they are pruned.
    export(&tables, &site, &["--piece-size", "10K"]);
    assert_whole(&tables, &site, 10_000);
    let both = files(&site);
    assert!(first.keys().all(|path| both.contains_key(path)) && both.len() > first.len());
    let output = export(&tables, &site, &["--piece-size", "10K", "--prune"]);
    assert!(output.contains("removed") && output.contains("tables/tactics_4x4-"), "{output}");
    assert_whole(&tables, &site, 10_000);
    assert!(files(&site).len() < both.len());
    // Files that have changed are written again.
    let game = &index(&site).games[0];
    let piece = site.join(game.file("values.rgt").unwrap().pieces(&game.folder).next().unwrap().path);
    let mut bytes = fs::read(&piece).unwrap();
    bytes[700] ^= 1;
    fs::write(&piece, &bytes).unwrap();
    export(&tables, &site, &["--piece-size", "10K"]);
    assert_whole(&tables, &site, 10_000);
    let written = json(&tables, &["export", "site", "--out", site.to_str().unwrap(), "touchdown:4x3"]);
    assert_eq!(written["games"][0]["game"], "touchdown:4x3");
}

#[test]
fn a_failed_export_leaves_the_site_unchanged() {
    let (_folder, tables, site) = solved();
    let out = site.to_str().unwrap();
    export(&tables, &site, &["--puzzles", "0"]);
    let before = files(&site);
    fails(&tables, &["export", "site", "--out", out, "touchdown:4x4"], 1, "retrograde solve touchdown:4x4");
    // A damaged table.
    let values = tables.join("touchdown_4x3/values.rgt");
    let mut bytes = fs::read(&values).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&values, &bytes).unwrap();
    let damaged = failure(&tables, &["export", "site", "--out", out, "touchdown:4x3"], 1);
    assert!(damaged.contains("damaged") && damaged.contains("values.rgt"), "{damaged}");
    let after = files(&site);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)), "something was changed");
    // A page that is not a site.
    let other = site.with_file_name("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("index.html"), "<h1>mine</h1>").unwrap();
    fails(
        &tables,
        &["export", "site", "--out", other.to_str().unwrap(), "tactics:4x4"],
        1,
        "already contains a page",
    );
    assert_eq!(files(&other).len(), 1);
    let set = site.with_file_name("set");
    let set = set.to_str().unwrap();
    answer(&tables, &["export", "evaluation", "tactics:4x4", "--out", set, "--positions", "10"]);
    fails(&tables, &["export", "site", "--out", set, "tactics:4x4"], 1, "holds an evaluation set");
    for wrong in
        [&["--piece-size", "10"][..], &["--piece-size", "x"], &["--puzzles", "-1"], &["--limit", "3"]]
    {
        failure(&tables, &[&["export", "site", "--out", out, "tactics:4x4"], wrong].concat(), 2);
    }
    failure(&tables, &["export", "site", "--out", out], 2);
    failure(&tables, &["export"], 2);
}

/// Equal values have equal digests, however they were computed.
#[test]
fn tables_and_sites_do_not_depend_on_how_they_were_made() {
    let folder = new_folder();
    let path = |name: &str| folder.join(name);
    let ways: [&[&str]; 3] =
        [&["--threads", "1"], &["--threads", "3", "--memory", "300M"], &["--threads", "2", "--again"]];
    let mut made = Vec::new();
    for (number, how) in ways.into_iter().enumerate() {
        let (tables, reachable) = (path(&format!("t{number}")), path(&format!("o{number}")));
        answer(&tables, &[&["solve"], &GAMES[..], how].concat());
        answer(&tables, &[&["solve", "tactics:3x3", "--outcome-only"], how].concat());
        let shades: Vec<&str> = [&["shades", GAMES[2]], how].concat();
        answer(&tables, &shades);
        answer(&reachable, &[&["solve", "touchdown:4x3", "--reachable"], how].concat());
        if number == 1 {
            // A second solve over the first.
            answer(&tables, &[&["solve"], &GAMES[..1], &["--again"]].concat());
        }
        let site = path(&format!("s{number}"));
        export(&tables, &site, &["--puzzles", "0"]);
        let mut there = files(&tables);
        there.extend(files(&reachable).into_iter().map(|(name, bytes)| (format!("reachable/{name}"), bytes)));
        assert!(there.keys().any(|name| name.ends_with("run.json")));
        there.retain(|name, _| !["lock", "run.json", "times.json"].iter().any(|other| name.ends_with(other)));
        there.extend(files(&site).into_iter().map(|(name, bytes)| (format!("site/{name}"), bytes)));
        assert!(!there.keys().any(|name| name.ends_with("run.json") || name.ends_with("times.json")));
        made.push(there);
    }
    for other in &made[1..] {
        assert!(made[0].keys().eq(other.keys()), "{:?} {:?}", made[0].keys(), other.keys());
        for (name, bytes) in &made[0] {
            assert!(*bytes == other[name], "{name}");
        }
    }
    // Statistics include the time if it is known; the table is complete without it.
    let tables = path("t0");
    assert!(json(&tables, &["stats", GAMES[0]])["seconds"].as_f64().is_some());
    fs::remove_file(tables.join("touchdown_4x3/run.json")).unwrap();
    assert!(json(&tables, &["stats", GAMES[0]])["seconds"].is_null());
    prints(&tables, &["solve", GAMES[0]], "There is already a complete table");
    answer(&tables, &["verify", GAMES[0], "--full"]);
}

#[test]
fn a_site_whose_page_is_empty_or_damaged_is_exported_again() {
    let (_folder, tables, site) = solved();
    export(&tables, &site, &["--puzzles", "0"]);
    let right = files(&site);
    for page in ["", " \n", "<!doctype"] {
        fs::write(site.join("index.html"), page).unwrap();
        export(&tables, &site, &["--puzzles", "0"]);
        assert!(files(&site) == right, "{page:?}");
    }
    // An empty page in a folder without a site.
    let other = site.with_file_name("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("index.html"), "").unwrap();
    export(&tables, &other, &["--puzzles", "0"]);
}

#[test]
fn a_board_file_is_part_of_the_site() {
    let (folder, tables, site) = solved();
    let board = folder.join("tiny.board");
    fs::write(&board, "pushers = 1\npawns = 1\n+-+-+-+ +\n . . . .\n+ + + + +\n . . . .\n+-+-+-+ +\n")
        .unwrap();
    let name = format!("pushfight:{}", board.display());
    let solved = common::run(&tables, &["solve", &name]);
    assert!(solved.status.success(), "{}", String::from_utf8_lossy(&solved.stderr));
    answer(&tables, &["export", "site", "--out", site.to_str().unwrap(), &name, "--puzzles", "0"]);
    let index = index(&site);
    assert_eq!(index.games[0].board.as_deref(), Some(&*fs::read_to_string(&board).unwrap()));
    assert_eq!(index.games[0].puzzles, None);
    // A program without a disk opens it from the index.
    let storage = SiteFolder::new(Arc::new(DiskStorage), &site).games(Arc::new(index.clone()));
    let game = retrograde::registry().find(&name, &retrograde_explore::Loader::disk()).unwrap();
    assert!(game.explore_in(Arc::new(storage), Path::new("")).unwrap().has_table());
}

#[cfg(not(feature = "remote"))]
#[test]
fn a_program_without_the_client_says_so() {
    fails(Path::new("https://example.org/games"), &["probe", "touchdown"], 1, "feature `remote`");
}

#[test]
fn commands_that_need_a_folder_say_so() {
    for command in [
        &["solve", "touchdown"][..],
        &["verify", "touchdown"],
        &["plan", "touchdown"],
        &["serve"],
        &["export", "touchdown", "--out", "x.csv"],
        &["export", "site", "--out", "x", "touchdown"],
    ] {
        fails(Path::new("https://example.org/games"), command, 2, "--tables must be a folder");
    }
}

#[cfg(feature = "remote")]
mod remote {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use retrograde_testkit::some_of;

    use super::*;
    use crate::common::run;
    use crate::common::site_host::{Mischief, Reply, Request, serve};

    /// The commands to run on a site.
    const QUESTIONS: [&[&str]; 8] = [
        &["probe", "touchdown:4x3"],
        &["probe", "tactics:4x4"],
        &["line", "pushfight:mini,pushers=1,pawns=1,moves=1"],
        &["stats", "tactics:4x4"],
        &["find", "touchdown:4x3", "--outcome", "win", "--turns", "3", "--limit", "4"],
        &["puzzles", "touchdown:4x3", "--seed", "1"],
        &["openings", "pushfight:mini,pushers=1,pawns=1,moves=1"],
        &["position", "touchdown:4x3", "15"],
    ];

    fn same(_: &Path, _: &Request, reply: Reply) -> Reply {
        reply
    }

    /// An answer without the time of the solve, which a site does not publish.
    fn without_seconds(answer: &str) -> Vec<serde_json::Value> {
        let objects = serde_json::Deserializer::from_str(answer).into_iter::<serde_json::Value>();
        objects
            .map(|object| {
                let mut object = object.unwrap();
                object.as_object_mut().unwrap().remove("seconds");
                object
            })
            .collect()
    }

    #[test]
    fn a_site_answers_like_its_tables_whether_or_not_it_is_split() {
        let (_folder, tables, site) = solved();
        for cut in [&["--puzzles", "0"][..], &["--puzzles", "0", "--piece-size", "10K"]] {
            export(&tables, &site, cut);
            let with_ranges = serve(&site, Box::new(same));
            let without = serve(
                &site,
                Box::new(|folder: &Path, request: &Request, _| {
                    crate::common::site_host::good(
                        folder,
                        &Request { path: request.path.clone(), range: None, number: 0 },
                    )
                }),
            );
            for question in QUESTIONS {
                let asked = [question, &["--json"]].concat();
                let local = without_seconds(&answer(&tables, &asked));
                for host in [&with_ranges, &without] {
                    assert_eq!(without_seconds(&answer(Path::new(host), &asked)), local, "{question:?}");
                }
            }
            // The address of the page also works.
            let page = format!("{with_ranges}/index.html#/games/touchdown:4x3");
            answer(Path::new(&page), &["probe", "touchdown:4x3"]);
            let listed = answer(Path::new(&with_ranges), &["games"]);
            assert!(GAMES.iter().all(|game| listed.contains(game)), "{listed}");
            assert_eq!(json(Path::new(&with_ranges), &["games"])["summary"]["table"], true);
            // A game that is not on the site has no values.
            let probe = answer(Path::new(&with_ranges), &["probe", "touchdown:3x3", "--json"]);
            assert!(!probe.contains("\"source\":\"table\""), "{probe}");
        }
    }

    #[test]
    fn broken_busy_and_redirecting_hosts_are_retried() {
        let (_folder, tables, site) = solved();
        export(&tables, &site, &["--puzzles", "0"]);
        let local = answer(&tables, &["probe", "tactics:4x4", "--json"]);
        let patient: [(&str, Box<Mischief>); 4] = [
            (
                "cut",
                Box::new(|_, request, reply| {
                    let half = reply.body.len() / 2;
                    Reply { sent: (request.number % 2 == 0).then_some(half), ..reply }
                }),
            ),
            (
                "busy",
                Box::new(
                    |_, request, reply| if request.number % 3 < 2 { Reply::new(503, b"wait") } else { reply },
                ),
            ),
            (
                "elsewhere",
                Box::new(|folder, request, _| match request.path.strip_prefix("new/") {
                    Some(path) => crate::common::site_host::good(
                        folder,
                        &Request { path: path.to_owned(), range: request.range, number: 0 },
                    ),
                    None => Reply::new(302, b"").header("Location", format!("/new/{}", request.path)),
                }),
            ),
            // Several machines behind one host may give a file different tags.
            ("tags", Box::new(|_, request, reply| reply.header("ETag", format!("\"{}\"", request.number)))),
        ];
        for (what, mischief) in patient {
            let host = serve(&site, mischief);
            assert_eq!(answer(Path::new(&host), &["probe", "tactics:4x4", "--json"]), local, "{what}");
        }
    }

    /// The error of a probe if the host does this to every file except the index.
    fn refusal(
        site: &Path,
        mischief: impl Fn(&Path, &Request, Reply) -> Reply + Send + Sync + 'static,
    ) -> String {
        let host = serve(
            site,
            Box::new(
                move |folder: &Path, request: &Request, reply| {
                    if request.path == "site.json" { reply } else { mischief(folder, request, reply) }
                },
            ),
        );
        failure(Path::new(&host), &["probe", "tactics:4x4"], 1)
    }

    #[test]
    fn errors_name_what_a_bad_host_did() {
        let (_folder, tables, site) = solved();
        export(&tables, &site, &["--puzzles", "0"]);
        let message = refusal(&site, |_, _, reply| {
            let range = reply.headers[0].1.replacen("bytes ", "bytes 1", 1);
            reply.header("Content-Range", range)
        });
        assert!(message.contains("to a request for bytes"), "{message}");
        let message = refusal(&site, |_, _, mut reply| {
            reply.body.push(0);
            reply
        });
        assert!(message.contains("instead of"), "{message}");
        let message = refusal(&site, |_, _, mut reply| {
            reply.body.resize(reply.body.len() + 1_000_000, 0);
            Reply { has_length: false, ..reply }
        });
        assert!(message.contains("more than"), "{message}");
        let message = refusal(&site, |_, _, reply| Reply { sent: Some(reply.body.len() / 2), ..reply });
        assert!(message.contains("bytes of") || message.contains("cannot read all"), "{message}");
        assert!(refusal(&site, |_, _, _| Reply::new(404, b"")).contains("(status 404)"));
        assert!(refusal(&site, |_, _, _| Reply::new(403, b"")).contains("status 403"));
        assert!(refusal(&site, |_, _, _| Reply::new(416, b"")).contains("shorter"));
        assert!(refusal(&site, |_, _, _| Reply::new(503, b"")).contains("status 503"));
        assert!(refusal(&site, |_, _, _| Reply::new(200, b"<html>")).contains("instead of"));
        let message = refusal(&site, |_, request, _| {
            Reply::new(302, b"").header("Location", format!("/{}", request.path))
        });
        assert!(message.contains("redirect"), "{message}");
        // Tiny pieces would cost thousands of requests.
        let whole = index(&site);
        let mut games = whole.games.clone();
        games.iter_mut().flat_map(|game| &mut game.files).for_each(|file| file.piece = Some(1));
        let crumbs = retrograde_table::seal_json(&SiteIndex { games, ..whole }).unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let host = serve(
            &site,
            Box::new(move |_: &Path, _: &Request, _| {
                count.fetch_add(1, Ordering::SeqCst);
                Reply::new(200, crumbs.as_bytes())
            }),
        );
        fails(Path::new(&host), &["probe", "tactics:4x4"], 1, "pieces of 1 bytes");
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        // A redirect from HTTP to HTTPS, to a closed port.
        let host = serve(
            &site,
            Box::new(|_: &Path, _: &Request, _| {
                Reply::new(302, b"").header("Location", "https://127.0.0.1:9/site.json")
            }),
        );
        failure(Path::new(&host), &["probe", "tactics:4x4"], 1);
        fails(Path::new("HTTPS://127.0.0.1:9/x"), &["probe", "tactics:4x4"], 1, "127.0.0.1:9");
        // Passwords are not printed.
        for address in
            ["http://me:secret@127.0.0.1:9/x", "HTTPS://me:secret@127.0.0.1:9", "http://me:secret@?"]
        {
            for command in
                [&["probe", "tactics:4x4"][..], &["solve", "tactics:4x4"], &["games"], &["probe", "x"]]
            {
                let output = run(Path::new(address), command);
                let printed = [output.stdout, output.stderr].concat();
                let printed = String::from_utf8_lossy(&printed);
                assert!(
                    !printed.contains("secret") && !printed.contains("panicked"),
                    "{address} {command:?}: {printed}"
                );
            }
        }
        // There is no server.
        fails(
            Path::new("http://127.0.0.1:9/x"),
            &["probe", "tactics:4x4"],
            1,
            "http://127.0.0.1:9/x/site.json",
        );
        // There is a different server.
        let host = serve(&site, Box::new(|_: &Path, _: &Request, _| Reply::new(200, b"<!doctype html>")));
        fails(Path::new(&host), &["probe", "tactics:4x4"], 1, "does not begin like the index of a site");
    }

    #[test]
    fn a_new_export_is_distinguished_from_a_broken_site() {
        let (_folder, tables, site) = solved();
        export(&tables, &site, &["--puzzles", "0"]);
        let asked = Arc::new(AtomicUsize::new(0));
        let host = serve(
            &site,
            Box::new(move |_: &Path, request: &Request, reply: Reply| {
                let is_index = request.path == "site.json";
                match asked.fetch_add(1, Ordering::SeqCst) {
                    0 => reply,
                    _ if is_index => Reply::new(200, b"another"),
                    _ => Reply::new(404, b""),
                }
            }),
        );
        fails(Path::new(&host), &["probe", "tactics:4x4"], 1, "exported again");
    }

    #[test]
    fn altered_bytes_give_an_error_or_are_not_read() {
        let (_folder, tables, site) = solved();
        export(&tables, &site, &["--piece-size", "10K", "--puzzles", "0"]);
        let local = answer(&tables, &["probe", "touchdown:4x3", "--json"]);
        let there: Vec<(String, usize)> =
            files(&site).into_iter().map(|(path, bytes)| (path, bytes.len())).collect();
        let looked_at =
            there.iter().filter(|(path, _)| path == "site.json" || path.starts_with("tables/touchdown"));
        let mut errors = 0;
        let places = looked_at.flat_map(|file| (0..12).map(move |place| (file, place)));
        for ((path, length), place) in some_of(3, places) {
            let (path, at) = (path.clone(), place * (length - 1) / 11);
            let host = serve(
                &site,
                Box::new(move |_: &Path, request: &Request, mut reply: Reply| {
                    let from = request.range.map_or(0, |range| range.0);
                    if request.path == path && from <= at && at - from < reply.body.len() {
                        reply.body[at - from] ^= 1 << (place % 8);
                    }
                    reply
                }),
            );
            let output = run(Path::new(&host), &["probe", "touchdown:4x3", "--json"]);
            match output.status.code() {
                Some(0) => assert_eq!(String::from_utf8_lossy(&output.stdout), local, "{at}"),
                Some(1) => errors += 1,
                code => panic!("{code:?} for {at}"),
            }
        }
        assert!(errors > 6, "only {errors} of the altered bytes were looked at");
    }
}
