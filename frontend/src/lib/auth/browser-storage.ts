/** Returns whether this browser lets the page store anything: blocked cookies, for one, block storage too. */
export function storageWorks(): boolean {
  try {
    const key = 'storage-probe'
    localStorage.setItem(key, key)
    localStorage.removeItem(key)
    return true
  } catch {
    return false
  }
}
