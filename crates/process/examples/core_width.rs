//! `core_width PROCESSOR SECONDS`: the host's readings of a core's width, in cycles per addition. For `bench/width-probe`.

use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let processor = words.next().and_then(|word| word.parse().ok());
    let seconds = words.next().and_then(|word| word.parse().ok());
    let (Some(processor), Some(seconds)) = (processor, seconds) else {
        eprintln!("usage: core_width PROCESSOR SECONDS");
        return ExitCode::from(2);
    };
    match tare_process::watch_core(processor, Duration::from_secs_f64(seconds)) {
        Ok(readings) => {
            let undisturbed = readings.iter().filter(|reading| reading.undisturbed);
            undisturbed.for_each(|reading| println!("{:.5}", reading.cycles_per_addition));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
