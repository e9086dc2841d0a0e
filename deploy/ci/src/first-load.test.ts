import { expect, test } from 'vitest'
import { firstLoadFiles } from './first-load.ts'

const manifest = {
  'index.html': { file: 'assets/index.js', imports: ['_shared.js'], css: ['assets/index.css'] },
  'src/page.tsx': { file: 'assets/page.js', imports: ['_shared.js', 'index.html'], css: [] },
  '_shared.js': {
    file: 'assets/shared.js',
    name: 'shared',
    imports: [],
    css: ['assets/shared.css', 'assets/index.css'],
  },
}

test('a screen loads its modules and what they import, each file once', () => {
  const files = firstLoadFiles(manifest, ['index.html', 'src/page.tsx'])
  const [scripts, styles] = ['js', 'css'].map((kind) => files.filter((file) => file.endsWith(kind)).sort())
  expect(scripts).toEqual(['assets/index.js', 'assets/page.js', 'assets/shared.js'])
  expect(styles).toEqual(['assets/index.css', 'assets/shared.css'])
})

test('a file that modules share is found by the name of its group', () => {
  expect(firstLoadFiles(manifest, ['shared'])).toEqual(['assets/shared.js', 'assets/shared.css', 'assets/index.css'])
})

test('a module that the build does not know is an error, not a small size', () => {
  expect(() => firstLoadFiles(manifest, ['src/gone.tsx'])).toThrow('src/gone.tsx')
})
