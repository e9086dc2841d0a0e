import type { OpenFile } from './file-text.ts'

const pieceBytes = 64 * 1024

/** Makes a file with this content, read in pieces, for tests. */
export const fileOf = (content: string | Uint8Array): OpenFile => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
  return async function* ({ start, end } = { start: 0, end: bytes.length - 1 }) {
    for (let at = start; at <= end; at += pieceBytes) yield bytes.subarray(at, Math.min(at + pieceBytes, end + 1))
  }
}
