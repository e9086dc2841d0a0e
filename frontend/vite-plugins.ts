import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import { themeCss } from './src/ui/theme.ts'

const stylesheet = join(import.meta.dirname, 'src/ui/theme.css')

/** Fills `src/ui/theme.css` with the tokens of `src/ui/theme.ts` as custom properties. */
export function themeStylesheet(): Plugin {
  return {
    name: 'parley-theme',
    load: (id) => (id === stylesheet ? themeCss() : undefined),
  }
}

/** Asks the browser for the latin cut of Inter together with the page instead of after its stylesheet. */
export function preloadedFont(): Plugin {
  return {
    name: 'parley-preloaded-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
        if (!font)
          throw new Error('The latin cut of Inter is not in the bundle; has the font package changed its file names?')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

const compressible = /\.(?:html|js|css|svg|json|txt)$/
const brotli = promisify(brotliCompress)
const gz = promisify(gzip)

/** Writes `.br` and `.gz` beside every text file of a build; the server sends them as they are. */
export function compressedAssets(): Plugin {
  let outDir = ''
  return {
    name: 'parley-compressed-assets',
    apply: 'build',
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      handler: async () => {
        const files = await readdir(outDir, { recursive: true })
        await Promise.all(files.filter((file) => compressible.test(file)).map((file) => compress(join(outDir, file))))
      },
    },
  }
}

async function compress(path: string): Promise<void> {
  const text = await readFile(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await Promise.all([
    writeFile(`${path}.br`, await brotli(text, quality)),
    writeFile(`${path}.gz`, await gz(text, { level: 9 })),
  ])
}

/**
 * React Router's package names its development build for bundlers whatever the mode; the production build, without its
 * warnings, lies beside it.
 */
export const productionRouter = (): Plugin => ({
  name: 'production-router',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (source !== 'react-router' && source !== 'react-router/dom') return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') }
  },
})

/** Modules that a library's own modules keep in the build though the page never runs them, and what stands in for each. */
const unusedModules: readonly { readonly importer: string; readonly source: string; readonly code: string }[] = [
  {
    // The page makes no JSON Schema; every schema of zod refers to the code that does.
    importer: '/zod/v4/classic/schemas.js',
    source: '../core/to-json-schema.js',
    code: 'export const createStandardJSONSchemaMethod = () => undefined; export const createToJSONSchemaMethod = () => undefined',
  },
  { importer: '/zod/v4/classic/schemas.js', source: '../core/json-schema-processors.js', code: 'export {}' },
  {
    // Only `tooltip: { unique: true }` uses it; it brings the positioning of every overlay.
    importer: '/antd/es/config-provider/index.js',
    source: '../tooltip/UniqueProvider',
    code: 'export default ({ children }) => children',
  },
]

/** Leaves those modules out: 14 kB of the first load. */
export const withoutUnusedModules = (): Plugin => ({
  name: 'parley-without-unused-modules',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer) {
    const index = unusedModules.findIndex((module) => importer?.endsWith(module.importer) && source === module.source)
    return index === -1 ? null : `\0unused:${index}`
  },
  load: (id) => unusedModules[Number(/^\0unused:(\d+)$/.exec(id)?.[1])]?.code,
})
