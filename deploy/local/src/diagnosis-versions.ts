import { parleyVersion } from '@parley/service-kit/core/build'
import type { Check } from './problem.ts'

/**
 * Compares the versions of processes with each other and with the code of this checkout.
 * @param texts metrics of each process, as Prometheus reads them.
 */
export function judgeVersions(texts: readonly string[], here = parleyVersion): Check {
  const subject = 'Versions'
  const series = texts.join('\n').matchAll(/^build_info\{(.*)\} 1$/gm)
  const running = Map.groupBy(series, ([, labels]) => labelOf('version', labels))
  const versions = [...running.keys()].sort()
  if (versions.every((version) => version === here)) return { verdict: 'ok', subject, finding: `all run ${here}` }
  const parts = versions.map((version) => {
    const names = running.get(version)?.map(([, labels]) => labelOf('process', labels)) ?? []
    return `${version} (${names.sort().join(', ')})`
  })
  const finding = `the code here is ${here}, and processes run ${parts.join(' and ')}`
  return { verdict: 'problem', subject, finding, remedy: 'End npm start with Ctrl-C and start it again.' }
}

const labelOf = (name: string, labels = ''): string =>
  new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? 'an unknown one'
