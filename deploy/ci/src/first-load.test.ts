import { expect, test } from 'vitest'
import { firstLoadScripts } from './first-load.ts'

const manifest = {
  'index.html': { file: 'assets/index.js', imports: ['_shared.js'] },
  'src/page.tsx': { file: 'assets/page.js', imports: ['_shared.js', 'index.html'] },
  '_shared.js': { file: 'assets/shared.js', imports: ['_styles'] },
  _styles: { file: 'assets/styles.css', imports: [] },
}

test('a screen loads its modules and what they import, each script once', () => {
  const scripts = firstLoadScripts(manifest, ['index.html', 'src/page.tsx'])
  expect(scripts.sort()).toEqual(['assets/index.js', 'assets/page.js', 'assets/shared.js'])
})

test('a module that the build does not know is an error, not a small size', () => {
  expect(() => firstLoadScripts(manifest, ['src/gone.tsx'])).toThrow('src/gone.tsx')
})
