import { zodResolver } from '@hookform/resolvers/zod'
import { type NewSavedReply, newSavedReplySchema, type SavedReply } from '@parley/contracts/inbox/replies'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { explain } from '../../../lib/explain.ts'
import { showFieldProblems } from '../../../lib/form-problems.ts'
import { InfoDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { repliesOptions, useDeleteReply, useSaveReply } from './replies-api.ts'
import styles from './replies-dialog.module.css'
import { ReplyFileField } from './reply-file-field.tsx'

/** The workspace's saved replies: read, written, changed and deleted. */
export function RepliesDialog({ onClose }: { onClose: () => void }) {
  const { data, isLoadingError, refetch } = useQuery(repliesOptions(''))
  const [edited, setEdited] = useState<SavedReply | 'new'>()
  const remove = useDeleteReply()
  return (
    <InfoDialog open title="Saved replies" width={560} onClose={onClose}>
      {isLoadingError && <ErrorState message="The saved replies could not be loaded." onRetry={() => void refetch()} />}
      {!data && !isLoadingError && <SkeletonBar height="120px" />}
      {edited ? (
        <ReplyForm
          key={edited === 'new' ? 'new' : edited.id}
          reply={edited === 'new' ? undefined : edited}
          onDone={() => setEdited(undefined)}
        />
      ) : (
        data && (
          <>
            {data.length === 0 && (
              <p className={styles['none']}>
                No saved replies yet. Save text you send often, with a file if you like, then type a slash in the
                composer to find it.
              </p>
            )}
            <ul className={styles['replies']}>
              {data.map((reply) => (
                <li key={reply.id}>
                  {reply.file?.kind === 'image' && (
                    <img
                      src={`/api/media/${reply.file.mediaId}/thumbnail`}
                      alt=""
                      width="40"
                      height="40"
                      loading="lazy"
                    />
                  )}
                  <span>
                    <b>/{reply.shortcut}</b>
                    {reply.text && <span dir="auto">{reply.text}</span>}
                    {reply.file && <span dir="auto">{reply.file.fileName}</span>}
                  </span>
                  <Button size="small" onClick={() => setEdited(reply)} aria-label={`Edit /${reply.shortcut}`}>
                    Edit
                  </Button>
                  <Button
                    size="small"
                    danger
                    aria-label={`Delete /${reply.shortcut}`}
                    onClick={() =>
                      remove.mutate(reply.id, {
                        onError: (error) => toast.error(explain(error, 'The reply could not be deleted.')),
                      })
                    }
                  >
                    Delete
                  </Button>
                </li>
              ))}
            </ul>
            <Button type="primary" onClick={() => setEdited('new')}>
              Add a reply
            </Button>
          </>
        )
      )}
    </InfoDialog>
  )
}

function ReplyForm({ reply, onDone }: { reply: SavedReply | undefined; onDone: () => void }) {
  const { control, handleSubmit, setError } = useForm<NewSavedReply>({
    resolver: zodResolver(newSavedReplySchema),
    defaultValues: { shortcut: reply?.shortcut ?? '', text: reply?.text ?? '', file: reply?.file ?? null },
  })
  const [isUploading, setUploading] = useState(false)
  const save = useSaveReply(reply)
  const submit = handleSubmit((fields) =>
    save.mutate(fields, {
      onSuccess: onDone,
      onError: (error) => {
        if (!showFieldProblems(error, { text: 'text', mediaId: 'file' }, setError))
          setError('shortcut', { message: explain(error, 'The reply could not be saved.') })
      },
    }),
  )
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <Field control={control} name="shortcut" label="Shortcut" hint="Typed after a slash to find it.">
        {(field) => <Input {...field} prefix="/" maxLength={40} />}
      </Field>
      <Field
        control={control}
        name="text"
        label="Text"
        hint="{{name}} and {{phone}} are replaced with the contact’s details."
      >
        {(field) => <Input.TextArea {...field} dir="auto" autoSize={{ minRows: 3, maxRows: 8 }} maxLength={4096} />}
      </Field>
      <ReplyFileField control={control} onBusy={setUploading} />
      <div className={styles['buttons']}>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="primary" htmlType="submit" loading={save.isPending} disabled={isUploading}>
          Save
        </Button>
      </div>
    </form>
  )
}
