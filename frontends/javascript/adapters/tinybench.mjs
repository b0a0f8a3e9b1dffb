import { createRequire } from 'node:module';

export const {
  Bench, Task, now, hrtimeNow, nToMs, mToNs, performanceNowTimestampProvider, hrtimeNowTimestampProvider,
  calibrateTimerOverhead, classifyTimerSaturation, detectTimerSaturation, estimateResolution, formatNumber, medianAbsoluteDeviation,
} = createRequire(import.meta.url)('./tinybench.js');
