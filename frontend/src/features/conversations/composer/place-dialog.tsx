import { type OutgoingCard, outgoingContentSchema } from '@parley/contracts/inbox/outgoing-content'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { FormDialog } from '../../../ui/dialog.tsx'
import styles from './template-dialog.module.css'

/** Asks for a place: coordinates or a link of a map, and what it is called. */
export function PlaceDialog({ onSend, onClose }: { onSend: (content: OutgoingCard) => void; onClose: () => void }) {
  const id = useId()
  const [where, setWhere] = useState('')
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [tried, setTried] = useState(false)
  const coordinates = coordinatesOf(where)
  const problem = tried && !coordinates
  const submit = () => {
    setTried(true)
    if (!coordinates) return
    const words = { ...(name.trim() && { name: name.trim() }), ...(address.trim() && { address: address.trim() }) }
    const content = outgoingContentSchema.parse({ type: 'location', ...coordinates, ...words })
    if (content.type === 'location') onSend(content)
    onClose()
  }
  return (
    <FormDialog
      open
      title="Send a location"
      submitLabel="Send location"
      width={440}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles['field']}>
        <label htmlFor={`${id}-where`}>Coordinates, or a link of a map</label>
        <Input
          id={`${id}-where`}
          placeholder="18.92198, 72.83465"
          maxLength={2000}
          value={where}
          status={problem ? 'error' : ''}
          aria-invalid={problem || undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          onChange={({ target }) => setWhere(target.value)}
        />
        {problem && (
          <p id={`${id}-problem`} className={styles['error']} role="alert">
            Enter latitude and longitude, or paste a link of Google Maps, Apple Maps or OpenStreetMap that has them.
          </p>
        )}
        {coordinates && where.includes('/') && (
          <p>
            {coordinates.latitude}, {coordinates.longitude}
          </p>
        )}
      </div>
      <div className={styles['field']}>
        <label htmlFor={`${id}-name`}>Name (optional)</label>
        <Input id={`${id}-name`} maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
      </div>
      <div className={styles['field']}>
        <label htmlFor={`${id}-address`}>Address (optional)</label>
        <Input
          id={`${id}-address`}
          maxLength={300}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
      </div>
    </FormDialog>
  )
}

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
