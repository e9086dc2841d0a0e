import { readFileSync, writeFileSync } from 'node:fs'
import { publicDocument } from './document.ts'
import { findBreaks } from './document-breaks.ts'

const file = `${import.meta.dirname}/openapi.json`

// `npm run docs`: writes the document of the public API, unless it would break those who use it.
const document: unknown = JSON.parse(JSON.stringify(publicDocument()))
const breaks = findBreaks(JSON.parse(readFileSync(file, 'utf8')), document)
if (breaks.length > 0) {
  process.stderr.write(`What is public stays. Keep these, and mark them as deprecated:\n${breaks.join('\n')}\n`)
  process.exitCode = 1
} else writeFileSync(file, `${JSON.stringify(document, null, 1)}\n`)
