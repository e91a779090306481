import { raw } from '../texts/html.ts'
import type { Translate } from '../texts/texts.ts'
import { visibleLength } from './view.ts'

/** What a picture of a roadmap shows: the test of one person, or of several side by side. */
type Shown = { title: string; role?: string; people?: readonly string[] }

/** Longer captions Telegram does not take. */
const CAPTION_LIMIT = 1024

/** Says what a picture shows, for whoever cannot see it. */
export function pictureCaption(
  t: Translate,
  { role, people, ...picture }: Shown & { page: number; pages: number },
): string {
  if (people)
    return t('result-picture-caption-compared', {
      ...picture,
      people: people.join(t('result-figures-joint')),
    })
  return role ? t('result-picture-caption-role', { ...picture, role }) : t('result-picture-caption', picture)
}

/** Says once for a whole album what its pictures show, in their order; nothing of a record, whose pictures are pages. */
export function albumCaption(
  t: Translate,
  { title, pictures }: { title: string; pictures: readonly Shown[] },
): string {
  const head = t('result-album', { title })
  const lines = pictures.map((shown) => lineOf(t, shown))
  // Several pages of one test are one line.
  const items = lines.filter((line, index) => line !== lines[index - 1])
  let caption = head
  for (const [index, item] of items.entries()) {
    const longer = `${caption}\n${t('result-album-item', { position: index + 1, item: raw(item) })}`
    if (visibleLength(longer) > CAPTION_LIMIT) break
    caption = longer
  }
  return caption
}

function lineOf(t: Translate, { title, role, people }: Shown): string {
  if (people) return t('result-album-compared', { title, people: people.join(t('result-figures-joint')) })
  return role ? t('result-album-role', { title, role }) : t('result-album-test', { title })
}
