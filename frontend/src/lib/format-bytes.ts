/** A file's size for people, in powers of 1000: `48 kB`, `506 bytes`. */
export function formatBytes(sizeBytes: number): string {
  const [value, unit] =
    sizeBytes < 1000
      ? [sizeBytes, 'byte']
      : sizeBytes < 1_000_000
        ? [sizeBytes / 1000, 'kilobyte']
        : [sizeBytes / 1_000_000, 'megabyte']
  // The short form of a byte has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const maximumFractionDigits = value < 10 ? 1 : 0
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value)
}
