//! `serve`: the games over HTTP.

use std::time::Duration;

use retrograde_serve::{Config, Limits, LogForm};
use serde_json::json;

use super::{Answer, print_json, say};
use crate::cli::serve::{LogWord, Serve};
use crate::{Context, Ended};

pub(super) fn serve(context: &mut Context, how: &Serve) -> Answer {
    let usual = Limits::default();
    let limits = Limits {
        workers: context.threads,
        time: Duration::from_secs_f64(how.time),
        rate: how.rate,
        cache: how.cache,
        ..usual
    };
    let config = Config {
        listen: how.listen,
        tables: context.tables.clone(),
        prefix: how.prefix.clone().unwrap_or_default(),
        trust_proxy: how.trust_proxy,
        log_requests: how.log_requests,
        limits,
    };
    retrograde_serve::start_log(match how.log {
        LogWord::Text => LogForm::Text,
        LogWord::Json => LogForm::Json,
    });
    let json = context.json;
    let registry = std::mem::take(&mut context.registry);
    retrograde_serve::serve(config, registry, |url| {
        // Whoever closed standard output has the log.
        let _ =
            if json { print_json(&json!({"url": url})) } else { say(format!("Open {url} (Ctrl-C stops).")) };
    })?;
    Ok(Ended::Well)
}
