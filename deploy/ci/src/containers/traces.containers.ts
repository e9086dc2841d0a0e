import { beforeAll, test } from 'vitest'
import { createPerson } from './person.ts'
import { composeWith, handed, until, untilHealthy } from './stack.ts'

const compose = composeWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318' })
beforeAll(async () => {
  await compose('--profile', 'observability', 'up', '--detach', '--no-build', 'otel-collector', 'bff')
  await untilHealthy()
})

interface Step {
  readonly process: string
  readonly name: string
}

/** Returns the steps that the collector's debug exporter has written, by trace. */
function tracesIn(log: string): Map<string, Step[]> {
  const traces = new Map<string, Step[]>()
  let process = ''
  for (const line of log.split('\n').map((text) => text.replace(/^\S+\s+\| /, ''))) {
    process = /ResourceTraces #\d+ .*service\.name=(\S+)/.exec(line)?.[1] ?? process
    const [, name, trace] = /^(.+) ([0-9a-f]{32}) [0-9a-f]{16}\b/.exec(line) ?? []
    if (name && trace) traces.set(trace, [...(traces.get(trace) ?? []), { process, name }])
  }
  return traces
}

test('a sign-up is one trace at the collector: BFF, identity, profile, and the stores below them', async () => {
  await createPerson()
  const whole = async () =>
    [...tracesIn(await compose('logs', '--no-color', 'otel-collector')).values()].some((steps) => {
      const has = (process: string, name: RegExp) =>
        steps.some((step) => step.process === `parley-${process}` && name.test(step.name))
      const ours = has('bff', /^auth\.signUp$/) && has('identity', /^identity\./) && has('profile', /^profile\./)
      return ours && has('bff', /^POST .*\/token$/) && has('bff', /^SET$/) && has('profile', /^findOneAndUpdate users$/)
    })
  await until('a whole trace at the collector', whole, 60)
})

test("Prometheus reads the collector's own figures", async () => {
  const query = encodeURIComponent('up{job="collector"} == 1')
  const url = `http://127.0.0.1:${handed.PROMETHEUS_PORT}/api/v1/query?query=${query}`
  await until('the collector read', async () => (await (await fetch(url)).text()).includes('otel-collector:8888'), 60)
})
