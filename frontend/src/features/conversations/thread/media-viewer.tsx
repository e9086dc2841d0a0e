import { Image } from 'antd'

/** A picture at its full size, over everything: it can be zoomed and turned. */
export function MediaViewer({ url, alt, onClose }: { url: string; alt: string; onClose: () => void }) {
  return (
    <Image
      src={url}
      alt={alt}
      // Only the viewer is shown; the thread has the small picture.
      wrapperStyle={{ display: 'none' }}
      preview={{ open: true, src: url, onOpenChange: (open) => !open && onClose() }}
    />
  )
}
