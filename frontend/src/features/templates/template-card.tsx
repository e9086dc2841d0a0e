import CloudServerOutlined from '@ant-design/icons/CloudServerOutlined'
import CopyOutlined from '@ant-design/icons/CopyOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import PictureOutlined from '@ant-design/icons/PictureOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import TranslationOutlined from '@ant-design/icons/TranslationOutlined'
import type { Template } from '@parley/contracts/templates/templates'
import { shownButtons } from '@parley/rules/template-parts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { categoryLabels } from '../../lib/category-labels.ts'
import { useIsRefused } from '../../lib/choices/members.ts'
import { useNavigate } from '../../lib/navigation.ts'
import cards from '../../ui/cards.module.css'
import { headerNames } from '../../ui/header-media.tsx'
import { useHistoryAction } from '../../ui/history-link.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Marked, WhatsAppText } from '../../ui/whatsapp-text.tsx'
import { languageCode, languageName, statusLabels, unusableReason } from './labels.ts'
import styles from './template-card.module.css'

const DeleteTemplate = lazy(async () => ({ default: (await import('./delete-template.tsx')).DeleteTemplate }))
const SetHeader = lazy(async () => ({ default: (await import('./set-header.tsx')).SetHeader }))
const SendTest = lazy(async () => ({ default: (await import('../../ui/send-test.tsx')).SendTest }))

export function TemplateCard({
  template,
  account,
  onEdit,
  onDuplicate,
  onTranslate,
  onDetails,
}: {
  template: Template
  /** Owning account, where there are several accounts. */
  account: string | undefined
  onEdit: () => void
  onDuplicate: () => void
  onTranslate: () => void
  onDetails: () => void
}) {
  const navigate = useNavigate()
  const buttons = shownButtons(template)
  const mayNotSend = useIsRefused('conversations:write')
  const [testing, setTesting] = useState<'open' | 'closed'>()
  const [settingHeader, setSettingHeader] = useState<'open' | 'closed'>()
  const [deleting, setDeleting] = useState<{ open: boolean; atWhatsApp: boolean }>()
  const { id, name, category, status, language, header, headerMedia, cards: carousel, body } = template
  const picture = headerMedia ?? carousel?.[0]?.headerMedia
  const { word, tone } = statusLabels[status]
  const { statusDetail, nextCategory, unsupported, draft, rejectionReason } = template
  const historyOf = useHistoryAction()
  const reason = unusableReason(template)
  const isForeign = unsupported !== undefined
  return (
    <li className={cards['card']}>
      <div className={cards['head']}>
        <div className={cards['titles']}>
          <h2 className={cards['title']} title={name}>
            {name}
          </h2>
          <p className={cards['sub']}>{[categoryLabels[category], account].filter(Boolean).join(' · ')}</p>
        </div>
        <RowMenu
          label={`Actions for ${name}`}
          actions={[
            { key: 'edit', label: 'Edit Template', icon: <EditOutlined />, disabled: isForeign, onSelect: onEdit },
            {
              key: 'duplicate',
              label: 'Duplicate',
              icon: <CopyOutlined />,
              disabled: isForeign,
              onSelect: onDuplicate,
            },
            ...historyOf(id),
            {
              key: 'translate',
              label: 'Add Language',
              icon: <TranslationOutlined />,
              disabled: isForeign,
              onSelect: onTranslate,
            },
            { key: 'details', label: 'Uses and Versions', icon: <HistoryOutlined />, onSelect: onDetails },
            ...(picture && !isForeign
              ? [
                  {
                    key: 'header',
                    label: carousel ? 'Set Files of Cards' : `Set ${headerNames[picture.kind]}`,
                    icon: <PictureOutlined />,
                    onSelect: () => setSettingHeader('open'),
                  },
                ]
              : []),
            ...(mayNotSend
              ? []
              : [
                  {
                    key: 'test',
                    label: 'Send Test',
                    icon: <SendOutlined />,
                    disabled: reason !== undefined,
                    onSelect: () => setTesting('open'),
                  },
                ]),
            {
              key: 'delete',
              label: 'Delete',
              icon: <DeleteOutlined />,
              danger: true,
              onSelect: () => setDeleting({ open: true, atWhatsApp: false }),
            },
            ...(status === 'draft'
              ? []
              : [
                  {
                    key: 'purge',
                    label: 'Delete at WhatsApp Now',
                    icon: <CloudServerOutlined />,
                    danger: true,
                    onSelect: () => setDeleting({ open: true, atWhatsApp: true }),
                  },
                ]),
          ]}
        />
      </div>
      <div className={styles['badges']}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <span className={styles['language']} title={languageName(language)}>
          {languageCode(language)}
        </span>
      </div>
      {status === 'rejected' && (
        <p className={styles['detail']}>Rejected: {rejectionReason ?? 'WhatsApp gave no reason.'}</p>
      )}
      {statusDetail && <p className={styles['detail']}>{statusDetail}</p>}
      {nextCategory && (
        <p className={styles['detail']}>WhatsApp will change its category to {categoryLabels[nextCategory]}.</p>
      )}
      {draft && <p className={styles['detail']}>A draft is waiting</p>}
      {unsupported && <p className={styles['detail']}>Also has: {unsupported.join(', ')}</p>}
      <div className={styles['content']}>
        {carousel && <p className={styles['detail']}>Carousel of {carousel.length} cards</p>}
        {picture?.kind === 'image' && picture.file ? (
          <img
            className={styles['picture']}
            src={`/api/media/${picture.file.mediaId}`}
            alt={picture.file.name}
            loading="lazy"
          />
        ) : (
          headerMedia && <p className={styles['detail']}>{headerNames[headerMedia.kind]} above the text</p>
        )}
        {header && (
          <p className={styles['header']} dir="auto">
            <Marked text={header} />
          </p>
        )}
        <p className={styles['body']} dir="auto">
          <WhatsAppText text={body} />
        </p>
      </div>
      {buttons.length > 0 && (
        <ul className={styles['buttons']} aria-label="Buttons">
          {buttons.map(({ kind, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two buttons may be alike, and their order is theirs.
            <li key={`${index}-${kind}`} dir="auto" title={text}>
              {text}
            </li>
          ))}
        </ul>
      )}
      <div className={cards['foot']}>
        {status === 'draft' ? (
          <Button aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
        ) : (
          <Button
            disabled={reason !== undefined}
            aria-describedby={reason && `${id}-reason`}
            aria-label={`Use Template ${name}`}
            onClick={() => navigate(`/broadcasts?new=1&template=${id}`)}
          >
            Use Template
          </Button>
        )}
        {reason && (
          <span id={`${id}-reason`} className={styles['reason']}>
            {reason}
          </span>
        )}
      </div>
      <Suspense>
        {deleting && (
          <DeleteTemplate
            open={deleting.open}
            template={template}
            atWhatsApp={deleting.atWhatsApp}
            onClose={() => setDeleting({ ...deleting, open: false })}
          />
        )}
        {settingHeader && (
          <SetHeader
            key={template.version}
            open={settingHeader === 'open'}
            template={template}
            onClose={() => setSettingHeader('closed')}
          />
        )}
        {testing && (
          <SendTest
            open={testing === 'open'}
            template={template}
            values={template.examples}
            onSent={([id]) => void navigate(`/conversations?id=${id}`)}
            onClose={() => setTesting('closed')}
          />
        )}
      </Suspense>
    </li>
  )
}
