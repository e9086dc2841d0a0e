import { processNames } from '@parley/processes/processes'
import { type PortName, type Ports, portOf } from './ports.ts'

const timeoutMs = 5000

/** Reads the metrics of each process that runs, as Prometheus does; one that does not answer has none. */
export const readMetrics = (ports: Partial<Ports>): Promise<string[]> =>
  Promise.all(metricsPorts().map((name) => metricsAt(ports[name])))

/** Ports at which processes may have their metrics: one that has no port for management has them beside the rest. */
const metricsPorts = (): PortName[] =>
  processNames.flatMap((name) => [portOf(name, 'http'), portOf(name, 'management')])

async function metricsAt(port: number | undefined): Promise<string> {
  if (port === undefined) return ''
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(timeoutMs) })
    return answer.ok ? await answer.text() : ''
  } catch {
    // Whether it answers at all is asked by itself.
    return ''
  }
}
