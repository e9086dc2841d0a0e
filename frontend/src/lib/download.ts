/** Hands a file to the browser's downloads. */
export function download(fileName: string, parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download has its own hold on the data by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
