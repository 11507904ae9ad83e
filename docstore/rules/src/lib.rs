//! Security rules, version 2: parser and pure evaluator.
