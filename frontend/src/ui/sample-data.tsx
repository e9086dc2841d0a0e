import { Button } from 'antd'
import { useState } from 'react'
import { useChangeSampleData, useSampleData } from '../lib/sample-data.ts'
import { ConfirmDialog } from './dialog.tsx'
import styles from './sample-data.module.css'

/** Says that a screen shows sample data, and takes it away. Nothing where there is none. */
export function SampleDataLine() {
  const state = useSampleData()
  const clearing = useChangeSampleData('clear')
  const [asks, setAsks] = useState(false)
  if (state !== 'loaded' && state !== 'clearing') return null
  return (
    <p className={styles['line']}>
      <span>You are looking at sample data.</span>
      <Button
        size="small"
        aria-label="Clear sample data"
        loading={clearing.isPending || state === 'clearing'}
        onClick={() => setAsks(true)}
      >
        Clear
      </Button>
      <ConfirmDialog
        open={asks}
        title="Clear sample data?"
        confirmLabel="Clear sample data"
        onConfirm={() => {
          setAsks(false)
          clearing.mutate()
        }}
        onClose={() => setAsks(false)}
      >
        The sample numbers, contacts and conversations are removed for everyone in the workspace. What you have added
        stays.
      </ConfirmDialog>
    </p>
  )
}

/** On an empty screen: fills the workspace with something to try things with. */
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
    <Button loading={waits} onClick={load}>
      Load sample data
    </Button>
  )
}
