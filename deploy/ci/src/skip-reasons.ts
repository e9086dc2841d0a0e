import { z } from 'zod'

const testSchema = z.object({
  annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })),
})
const suiteSchema = z.object({
  specs: z.array(z.object({ tests: z.array(testSchema) })).default([]),
  get suites() {
    return z.array(suiteSchema).default([])
  },
})
type Suite = z.infer<typeof suiteSchema>

/** Why journeys were skipped, each reason once, from Playwright's JSON report. */
export function skipReasons(report: unknown): string[] {
  const { suites } = z.object({ suites: z.array(suiteSchema) }).parse(report)
  const reasons = suites.flatMap(reasonsIn)
  return [...new Set(reasons)]
}

function reasonsIn({ specs, suites }: Suite): string[] {
  const own = specs
    .flatMap(({ tests }) => tests)
    .flatMap(({ annotations }) => annotations)
    .flatMap(({ type, description }) => (type === 'skip' && description ? [description] : []))
  return [...own, ...suites.flatMap(reasonsIn)]
}
