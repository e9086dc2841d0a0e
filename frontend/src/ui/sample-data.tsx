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
      <span>Sample data included.</span>
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
        <p>This is removed for everyone in the workspace:</p>
        <ul className={styles['removed']}>
          <li>the sample numbers, contacts, tags, conversations and files</li>
          <li>the sample templates, campaigns with their results, and notifications</li>
          <li>its part of every figure of dashboard and analytics, with its activity</li>
          <li>the sample plan (Professional, $99/month) with its used credits and messages</li>
          <li>the examples of bots, workflows and webhooks</li>
        </ul>
        <p>What you have added stays, and so do conversations in which somebody has written since.</p>
      </ConfirmDialog>
    </p>
  )
}
