//! `serve`: serves the games over HTTP.

use std::num::NonZeroU32;
use std::time::Duration;

use clap::Args;
use retrograde_serve::{Config, HostName, Limits, Listen, LogForm};
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::export::module;
use crate::output::{print_json, print_line};
use crate::program::args::{number, parse_seconds, parse_size, word};
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};

/// A server that listens (`serve`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct Served<'a> {
    /// The URL of its page.
    url: &'a str,
}

/// Serve the explorer and the HTTP API until Ctrl-C
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde serve\n  \
                        retrograde serve --listen 0.0.0.0:80 --rate 50 --log json\n  \
                        curl 'http://127.0.0.1:8080/api/v1/games/{game}/positions'")]
pub(crate) struct ServeArgs {
    /// The address to listen on, such as localhost:8080
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: Listen,
    /// Another host name to accept besides localhost; its web pages may use the server; * for any
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<HostName>,
    /// Prefix of every path, such as /retrograde
    #[arg(long, value_name = "PATH")]
    prefix: Option<retrograde_serve::Prefix>,
    /// Requests per second allowed for one client [default: no limit]
    #[arg(long, value_parser = number::<u32>(1..=u32::MAX.into(), 50))]
    rate: Option<u32>,
    /// Seconds that one answer may take
    #[arg(long, default_value = "10", value_parser = parse_seconds)]
    time: Duration,
    /// Milliseconds of work per second allowed for one client while others wait
    #[arg(
        long,
        default_value_t = 500,
        value_name = "MS",
        value_parser = number::<u32>(1..=u32::MAX.into(), 500)
    )]
    work: u32,
    /// Memory for open games; larger games are refused [default: 128MiB, or a quarter of --memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    open_games: Option<u64>,
    /// Memory for cached answers [default: 64MiB, or an eighth of --memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    cache: Option<u64>,
    /// Identify clients by the last entry of X-Forwarded-For; use this only behind your own proxy
    #[arg(long)]
    trust_proxy: bool,
    /// Log format, on standard error
    #[arg(
        long,
        default_value = "text",
        value_name = "FORMAT",
        value_parser = word([("text", LogForm::Text), ("json", LogForm::Json)])
    )]
    log: LogForm,
    /// Log every request, not only failed and slow ones
    #[arg(long)]
    log_requests: bool,
}

pub(crate) fn run(context: &Context, args: &ServeArgs) -> CommandResult {
    context.tables.check()?;
    let defaults = Limits::default();
    let limits = Limits {
        workers: context.threads,
        long_workers: (context.threads / 2).clamp(1, defaults.long_workers.max(1)),
        time: args.time,
        rate: args.rate.and_then(NonZeroU32::new),
        work: Duration::from_millis(args.work.into()),
        games_memory: args.open_games.unwrap_or(defaults.games_memory),
        cache: args.cache.unwrap_or(defaults.cache),
        ..defaults
    };
    let config = Config {
        listen: args.listen.clone(),
        allow_hosts: args.allow_host.clone(),
        tables: context.tables.clone(),
        prefix: args.prefix.clone().unwrap_or_default(),
        trust_proxy: args.trust_proxy,
        log_requests: args.log_requests,
        limits,
        module: module::of_server(),
    };
    // Half of the threads work on long requests; the others stay free for quick ones.
    retrograde_explore::set_answer_threads((context.threads / 2).max(1));
    retrograde_serve::start_log(args.log);
    let json = context.json;
    retrograde_serve::serve(config, context.registry.clone(), |url| {
        // If standard output is closed, the URL is still in the log.
        let _ = if json {
            print_json(&Served { url })
        } else {
            print_line(format!("Open {url} (Ctrl-C stops)."))
        };
    })?;
    Ok(Exit::Success)
}
