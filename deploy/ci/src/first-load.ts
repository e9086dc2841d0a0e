import { z } from 'zod'

/** Vite's manifest, as much of it as is used here: what each entry and each lazily loaded module became, and the files that several share. */
export const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    /** Name of a shared file: the group of `frontend/vite-chunks.ts`. */
    name: z.string().optional(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
)
type Manifest = z.infer<typeof manifestSchema>

/**
 * Scripts and stylesheets that a screen loads before it can show: those of its modules and whatever they import, each once.
 * @param modules files of their own by path, others by the name of the group they are in.
 * @throws where the manifest does not know a module: it was renamed, and the report would count too little.
 */
export function firstLoadFiles(manifest: Manifest, modules: readonly string[]): string[] {
  const keyOf = (module: string) =>
    module in manifest ? module : Object.keys(manifest).find((key) => manifest[key]?.name === module)
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build has no module ${name}. Was it renamed or is it no longer loaded lazily?`)
    seen.add(name)
    for (const imported of chunk.imports) visit(imported)
  }
  for (const module of modules) visit(keyOf(module) ?? module)
  const files = [...seen].flatMap((name) => [manifest[name]?.file ?? [], manifest[name]?.css ?? []].flat())
  return [...new Set(files)]
}
