const key = 'signed-in'

/**
 * Remembers on this device that someone is signed in, so that `/` knows at once whether to wait for the answer or to show
 * the landing page. It is a hint: it holds no secret and grants nothing.
 */
export function setSignedInHint(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(key, '1')
    else localStorage.removeItem(key)
  } catch {
    // Storage may be switched off; the hint only spares a glimpse of the landing page.
  }
}

export function hasSignedInHint(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
