//! A site: solved games as a folder of static files, which any web host can serve.
//!
//! `retrograde export site` writes the folder. The explorer's page and `--tables https://…` read it
//! through [`SiteStorage`], so a table is asked on a site in the same words, and with the same
//! checks, as on a disk. This module knows what the files are called and how they are cut; how
//! bytes travel is the matter of a [`Fetch`].
//!
//! # The files
//!
//! ```text
//! index.html              the explorer
//! site.json               what the site has (below)
//! retrograde-DIGEST.wasm.zst  rules and probing for the browser, packed by zstd; one more with solvers
//! tables/GAME-DIGEST/     the files of a game's directory
//! puzzles/GAME-DIGEST.json
//! ahead/GAME-DIGEST.json  answers to what a page asks first about a game
//! ahead/GAME-DIGEST.json.gz  one such answer that is long, packed
//! openings/GAME-DIGEST.bin.gz  ranges of a game's files that opening it reads
//! ```
//!
//! Every address is relative to the folder of `site.json`. Files with a digest in their address
//! never change, so they can be cached for ever; a site that is exported anew gets new addresses for
//! what changed, and then a new `site.json`, written last.
//!
//! # `site.json`
//!
//! Sealed JSON ([`seal_json`](crate::seal_json)), whose last field is the checksum of all before:
//!
//! | field | meaning |
//! |---|---|
//! | `format` | the version of this form, 1 |
//! | `program` | the version of the program that wrote it |
//! | `module` | address of the WebAssembly module |
//! | `workshop` | address of a module that also solves, where `module` answers questions alone; or absent |
//! | `games` | the games, each once |
//! | `games[].game` | canonical name |
//! | `games[].board` | text of the board's file, if the game is on a board from a file; else null |
//! | `games[].folder` | address of the folder with its files |
//! | `games[].files` | the files of its directory, each once: `name`, `bytes`, `piece`, `digest` |
//! | `games[].puzzles` | address and length (`path`, `bytes`) of puzzles sampled ahead; or null |
//! | `games[].ahead` | the same of answers to what a page asks first, by question; or null, or absent |
//! | `games[].answers` | long answers, each in a file packed by gzip (`path`, `bytes`) that has one `question`; or absent |
//! | `games[].opening` | the same of ranges that opening the game reads; or null, or absent |
//! | `games[].summary` | what the page shows in its list of games, as in `GET /api/v1/games` |
//!
//! `name` is that in the directory of the game; a file in a folder there is called `FOLDER/NAME`. A
//! file of which `piece` is null lies whole at `FOLDER/NAME`. Otherwise `piece` is a number of
//! bytes, and the file lies in pieces `FOLDER/NAME.000`, `FOLDER/NAME.001`, … of that length each,
//! the last of what is left; there are more digits where a thousand pieces are not enough. `digest`
//! is the BLAKE3 hash of the whole file, in hexadecimal digits. Readers need not check it, since
//! every file of a table has checksums of its own; who mirrors a site can.
//!
//! `site.json` is not believed further than it can be checked: [`SiteIndex::read`]
//! refuses names that lead out of the folder, names that stand twice, and absurd numbers, and a
//! [`SiteStorage`] refuses answers of a wrong length.
//!
//! # The file of an opening
//!
//! To open a large game takes many short reads, one after the other, of tables by which further ones
//! are found. A file of an opening has them together, so a page has them after one request. It may be
//! packed by gzip, which halves it, as its first bytes tell. It
//! begins with the number of its ranges in four bytes, then has a range each: the length of the
//! address in two bytes, the address, the first byte in eight, and the number of bytes in four,
//! all least byte first; then it has the bytes of the ranges in this order. Readers may leave it
//! aside. It is believed as little as the files themselves.

mod fetch;
mod folder;
mod index;
mod opened;
mod storage;

pub use fetch::{Fetch, Piece};
pub use folder::{Advance, PublishedGame, SITE_INDEX, SiteFolder, short_digest};
pub use index::{SITE_FORMAT, SiteAnswer, SiteExtra, SiteFile, SiteGame, SiteIndex};
pub use opened::{OpenedFiles, SharedSource};
pub use storage::SiteStorage;
