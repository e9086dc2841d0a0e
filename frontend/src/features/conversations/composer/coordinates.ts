interface Coordinates {
  /** Degrees, −90 to 90. */
  readonly latitude: number
  /** Degrees, −180 to 180. */
  readonly longitude: number
}

const pair = String.raw`(-?\d{1,3}(?:\.\d+)?)`

/** Forms in which latitude and longitude are written: alone, and in links of maps, where a marked place goes before the view. */
const forms = [
  new RegExp(`^\\s*\\(?${pair}\\s*[,;\\s]\\s*${pair}\\)?\\s*$`),
  new RegExp(`!3d${pair}!4d${pair}`),
  new RegExp(`[?&](?:q|query|ll|sll|destination|center|coordinate)=(?:loc:)?${pair},\\+?${pair}`),
  new RegExp(`[?&]mlat=${pair}&mlon=${pair}`),
  new RegExp(`@${pair},${pair}`),
  new RegExp(`#map=[\\d.]+/${pair}/${pair}`),
  new RegExp(`^geo:${pair},${pair}`),
]

/** Reads coordinates as a person types or pastes them: two numbers, or a link of a map. @returns undefined where there are none. */
export function coordinatesOf(text: string): Coordinates | undefined {
  const written = readable(text.trim())
  for (const form of forms) {
    const found = form.exec(written)
    if (!found) continue
    const [latitude, longitude] = [Number(found[1]), Number(found[2])]
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  }
  return undefined
}

function readable(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return text
  }
}
