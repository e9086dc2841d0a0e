import { useState } from 'react'
import { useChangeSampleData, useSampleData } from '../lib/sample-data.ts'
import { ActionButton } from './action.tsx'

/** Button on an empty screen that fills the workspace with sample data. */
export function LoadSampleData() {
  const state = useSampleData()
  const loading = useChangeSampleData('load')
  const [pressed, setPressed] = useState(false)
  const waits = loading.isPending || (pressed && state === 'loading')
  const load = () => {
    setPressed(true)
    loading.mutate()
  }
  if (!waits && state !== 'none' && state !== 'cleared') return null
  return (
    <ActionButton aria-busy={waits} aria-disabled={waits} onClick={() => !waits && load()}>
      {waits ? 'Loading sample data...' : 'Load sample data'}
    </ActionButton>
  )
}
