//! A site: solved games as a folder of static files, which any web host can serve.
//!
//! `retrograde export site` writes the folder. The explorer's page and `--tables https://…` read it
//! through [`SiteStorage`], so a table on a site is read and checked exactly like one on a disk.
//! This module defines the names of the files and how they are split; a [`Fetch`] transfers the
//! bytes.
//!
//! # The files
//!
//! ```text
//! index.html              the explorer
//! site.json               the index of the site (below)
//! retrograde-DIGEST.wasm.zst  rules and probing for the browser, packed by zstd; one more with solvers
//! tables/GAME-DIGEST/     the files of a game's directory
//! puzzles/GAME-DIGEST.json
//! ahead/GAME-DIGEST.json  precomputed answers to a page's first questions about a game
//! ahead/GAME-DIGEST.json.gz  one such answer that is long, packed
//! openings/GAME-DIGEST.bin.gz  the ranges of a game's files that opening it reads
//! ```
//!
//! Every address is relative to the folder of `site.json`. Files with a digest in their address
//! never change, so they can be cached forever. A new export has new addresses for what changed,
//! and then a new `site.json`, written last.
//!
//! # `site.json`
//!
//! Sealed JSON ([`seal_json`](crate::seal_json)); the last field is the checksum of everything before it:
//!
//! | field | meaning |
//! |---|---|
//! | `format` | the version of this format, 1 |
//! | `program` | the version of the program that wrote it |
//! | `module` | address of the WebAssembly module |
//! | `workshop` | address of a module that can also solve, if `module` can only answer questions; or absent |
//! | `games` | the games, each once |
//! | `games[].game` | canonical name |
//! | `games[].board` | text of the board's file, if the board comes from a file; otherwise null |
//! | `games[].folder` | address of the folder with its files |
//! | `games[].files` | the files of its directory, each once: `name`, `bytes`, `piece`, `digest` |
//! | `games[].puzzles` | address and length (`path`, `bytes`) of puzzles sampled in advance; or null |
//! | `games[].ahead` | the same for precomputed answers, by question; or null, or absent |
//! | `games[].answers` | long answers, each in a file packed by gzip (`path`, `bytes`) with its `question`; or absent |
//! | `games[].opening` | the same for the ranges that opening the game reads; or null, or absent |
//! | `games[].summary` | what the page shows in its list of games, as in `GET /api/v1/games` |
//!
//! `name` is the name in the directory of the game; a file in a subfolder is called `FOLDER/NAME`.
//! If `piece` is null, the file is not split, and its address is `FOLDER/NAME`. Otherwise the file
//! is split into pieces `FOLDER/NAME.000`, `FOLDER/NAME.001`, … of `piece` bytes each, the last one
//! with the rest; more than a thousand pieces have more digits. `digest` is the BLAKE3 hash of the
//! whole file in hexadecimal digits. Readers do not need to check it, since every file of a table
//! has its own checksums; it is for mirrors of a site.
//!
//! `site.json` is not trusted: [`SiteIndex::read`] rejects names that lead out of the folder,
//! duplicate names and absurd numbers, and a [`SiteStorage`] rejects responses of the wrong length.
//!
//! # Opening files
//!
//! Opening a large game takes many short reads, one after the other, because some of them locate
//! others. An opening file contains them all, so that a page needs only one request. It may be
//! packed by gzip, which halves it; its first bytes show this. It begins with the number of ranges
//! in four bytes. For each range follow the length of the address in two bytes, the address, the
//! offset of the first byte in eight, and the number of bytes in four, all little-endian. Then
//! follow the bytes of the ranges in the same order. Readers may ignore the file. It is trusted no
//! more than the files themselves.

mod cache;
mod fetch;
mod folder;
mod index;
mod opened;
mod storage;

pub use cache::{RangeCache, RangePart};
pub use fetch::{Fetch, Piece};
pub use folder::{Advance, ExtraKind, PublishedGame, SITE_INDEX, SiteFolder, short_digest};
pub use index::{SITE_FORMAT, SiteAnswer, SiteExtra, SiteFile, SiteGame, SiteIndex};
pub use opened::{OpenedFiles, SharedSource};
pub use storage::SiteStorage;
