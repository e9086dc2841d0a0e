import { useState } from 'react'

/** The value, or the last there was: what a dialog shows while it closes because its value has gone. */
export function useLast<T extends object | string>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
