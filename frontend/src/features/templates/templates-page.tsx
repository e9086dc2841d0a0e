import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Counters } from '../../ui/counters.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { templateSummaryOptions } from './api.ts'
import { SyncButton, SyncProblem } from './sync-button.tsx'
import { TemplateList } from './template-list.tsx'
import { useTemplatesUrl } from './url.ts'

const TemplateEditor = lazy(async () => ({ default: (await import('./editor/template-editor.tsx')).TemplateEditor }))

const TemplateDrawer = lazy(async () => ({ default: (await import('./template-drawer.tsx')).TemplateDrawer }))

/** Templates: the list, or the editor where the address asks for it. */
export function TemplatesPage() {
  const [url, change] = useTemplatesUrl()
  // Once opened it stays mounted, so that it can close with its motion.
  const [opened, setOpened] = useState(false)
  if (url.details && !opened) setOpened(true)
  if (url.new || url.edit || url.duplicate || url.translate)
    return (
      <Suspense fallback={<Loading />}>
        <TemplateEditor url={url} change={change} />
      </Suspense>
    )
  const create = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ new: '1' })}>
      Create Template
    </Button>
  )
  return (
    <Page
      description="Messages approved by WhatsApp: the only way to start a conversation."
      actions={
        <>
          <SyncButton />
          {create}
        </>
      }
    >
      <SyncProblem />
      <Summary />
      <TemplateList url={url} change={change} />
      <Suspense>
        {opened && (
          <TemplateDrawer
            id={url.details}
            onEdit={(edit) => change({ details: undefined, edit })}
            onClose={() => change({ details: undefined })}
          />
        )}
      </Suspense>
    </Page>
  )
}

function Summary() {
  const { data, isLoadingError } = useQuery(templateSummaryOptions())
  return (
    <Counters
      failed={isLoadingError}
      items={[
        { label: 'Total', value: data?.total },
        { label: 'Approved', value: data?.approved },
        { label: 'Pending', value: data?.pending },
        { label: 'Rejected', value: data?.rejected },
      ]}
    />
  )
}
