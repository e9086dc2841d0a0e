import { plainFileName } from '../../../whatsapp/file-name.ts'
import { fileEnding } from '../../media/file-ending.ts'

const maxLetters = 60

/** A browser would run these from the disk as pages; with another ending they are shown as text. */
const runAsPages = /\.(x?html?|xht|shtml|svgz?|xml|xslt?|mht|mhtml)$/i

/**
 * Returns the name of a file in a ZIP file: its place among the others, then its own name where it has one. No path, no control
 * characters, nothing that some system refuses.
 */
export function mediaName(place: number, { type, fileName }: { type: string; fileName?: string | undefined }): string {
  const start = String(place).padStart(5, '0')
  if (fileName === undefined) return `${start}${fileEnding(type)}`
  const safe = plainFileName(fileName)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(safe)?.[0] ?? ''
  const base = [...safe.slice(0, safe.length - ending.length)].slice(0, maxLetters).join('').trim() || 'File'
  return `${start}-${base}${ending}${runAsPages.test(ending) ? '.txt' : ''}`
}
