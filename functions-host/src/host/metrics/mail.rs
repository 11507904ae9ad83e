//! Metrics of the queue of mails.

use std::fmt;

use auth_emu::mail::MailQueue;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// Mails that wait, and what became of the others. A server without mail counts none.
#[derive(Debug)]
pub(crate) struct MailCollector(pub(crate) Option<MailQueue>);

impl Collector for MailCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let numbers = self.0.as_ref().map(MailQueue::numbers).unwrap_or_default();
        let waiting = ConstGauge::new(i64::try_from(numbers.waiting).unwrap_or(i64::MAX));
        let help = "Mails that the mail server has not taken yet";
        waiting.encode(encoder.encode_descriptor("mail_waiting", help, None, waiting.metric_type())?)?;
        for (name, help, value) in [
            ("mail_sent", "Mails that the mail server took since the start", numbers.sent),
            ("mail_failures", "Deliveries of mails that failed since the start", numbers.failures),
            ("mail_given_up", "Mails that were given up since the start", numbers.given_up),
        ] {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        }
        Ok(())
    }
}
