import MergeCellsOutlined from '@ant-design/icons/MergeCellsOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import ProfileOutlined from '@ant-design/icons/ProfileOutlined'
import UploadOutlined from '@ant-design/icons/UploadOutlined'
import { Button } from 'antd'
import { lazy, Suspense, useCallback } from 'react'
import { useIsRefused } from '../../lib/choices/members.ts'
import { ActionLink } from '../../ui/action.tsx'
import { AskApprovalDialog } from '../../ui/approval/ask-dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { SampleDataLine } from '../../ui/sample-data.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import styles from './list/contact-browser.module.css'
import { ContactBrowser } from './list/contact-browser.tsx'
import { noFilters, useContactsUrl } from './url.ts'

const ImportPanel = lazy(async () => ({ default: (await import('./import/import-panel.tsx')).ImportPanel }))

const ContactDialog = lazy(async () => ({ default: (await import('./edit/contact-dialog.tsx')).ContactDialog }))
const DuplicatesDialog = lazy(async () => ({
  default: (await import('./merge/duplicates-dialog.tsx')).DuplicatesDialog,
}))
const EditContact = lazy(async () => ({ default: (await import('./edit/contact-dialog.tsx')).EditContact }))

/** The list of contacts, its filters and what is done with those that are selected. */
export function ContactsPage() {
  const [url, change] = useContactsUrl()
  const mayNotWrite = useIsRefused('contacts:write')
  const showNewest = { ...noFilters, sort: 'newest' } as const
  const closeImport = useCallback(() => change({ import: undefined }), [change])
  if (url.import)
    return (
      <Page description="Import contacts from a spreadsheet or another system.">
        <Suspense fallback={<SkeletonBlocks count={2} height="120px" />}>
          <ImportPanel
            id={url.import === '1' ? undefined : url.import}
            onOpen={(id) => change({ import: id })}
            onClose={closeImport}
            onShow={(imported) => change({ import: undefined, ...showNewest, imported })}
          />
        </Suspense>
      </Page>
    )
  return (
    <Page
      description="Everyone who messages you, and everyone you can message."
      actions={
        <>
          <ActionLink to="/contacts/fields">
            <ProfileOutlined aria-hidden /> <span className={styles['onlyIcon']}>Fields and tags</span>
          </ActionLink>
          {!mayNotWrite && (
            <Button icon={<MergeCellsOutlined aria-hidden />} onClick={() => change({ duplicates: '1' })}>
              <span className={styles['onlyIcon']}>Duplicates</span>
            </Button>
          )}
          <Button icon={<UploadOutlined aria-hidden />} onClick={() => change({ import: '1' })}>
            Import
          </Button>
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ new: '1' })}>
            Add Contact
          </Button>
        </>
      }
    >
      <SampleDataLine />
      <ContactBrowser url={url} change={change} />
      <AskApprovalDialog />
      <Suspense>
        {url.new && (
          <ContactDialog
            onClose={() => change({ new: undefined })}
            onSaved={() => change({ new: undefined, ...showNewest })}
          />
        )}
        {url.duplicates && <DuplicatesDialog open onClose={() => change({ duplicates: undefined })} />}
        {url.edit && <EditContact id={url.edit} onClose={() => change({ edit: undefined })} />}
      </Suspense>
    </Page>
  )
}
