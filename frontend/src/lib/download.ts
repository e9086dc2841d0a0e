/** Hands a file to the browser's downloads. `type` is its media type, in UTF-8. */
export function download(fileName: string, parts: BlobPart[], type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download has its own hold on the data by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
