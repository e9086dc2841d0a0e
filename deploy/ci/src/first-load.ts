import { z } from 'zod'

/** Vite's manifest, as much of it as is used here: what each entry and each lazily loaded module became. */
export const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]) }),
)
type Manifest = z.infer<typeof manifestSchema>

/**
 * Scripts that a screen loads before it can show: those of its modules and whatever they import, each once.
 * @throws where the manifest does not know a module: it was renamed, and the report would count too little.
 */
export function firstLoadScripts(manifest: Manifest, modules: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build has no module ${name}. Was it renamed or is it no longer loaded lazily?`)
    seen.add(name)
    for (const imported of chunk.imports) visit(imported)
  }
  for (const module of modules) visit(module)
  const files = [...seen].flatMap((name) => manifest[name]?.file ?? [])
  return [...new Set(files)].filter((file) => file.endsWith('.js'))
}

interface SizeCheck {
  readonly bytes: number
  readonly budgetBytes: number
  /** What it was when the baseline was last set. */
  readonly baselineBytes: number
}

/** How much a screen may grow before somebody has to look at it and set a new baseline. */
const allowedGrowth = 0.05

/** @returns what is wrong with a size; `undefined` where nothing is. */
export function sizeProblem({ bytes, budgetBytes, baselineBytes }: SizeCheck): string | undefined {
  if (bytes > budgetBytes) return 'over budget'
  if (bytes > baselineBytes * (1 + allowedGrowth)) return `grew ${((bytes / baselineBytes - 1) * 100).toFixed(1)} %`
  return undefined
}
