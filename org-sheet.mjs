import { chromium } from 'playwright-core'
import { writeFileSync } from 'node:fs'
import { invitationSheet } from './dist/views/invitation-sheet.js'
import { loadTexts } from './dist/texts/texts.js'
const t = loadTexts().for('fa')
const made = Array.from({ length: 300 }, (_, i) => ({ code: 'kghnawg7yrao', title: i % 3 === 1 ? 'چشم‌انداز بلند و بسیار طولانیِ یک آزمون با عنوانی که در دو سطر هم جا نمی‌شود (نمونه، ۵۶۷ پرسش)' : 'حال این دو هفته (نمونه)' }))
const at = Date.now(); writeFileSync('/tmp/org-play/sheet.html', await invitationSheet(t, made, 'porsa_demo_bot')); console.log('ms', Date.now() - at)
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const p = await b.newPage({ viewport: { width: 794, height: 1123 } })
await p.goto('file:///tmp/org-play/sheet.html'); await p.screenshot({ path: '/tmp/org-shots/sheet.png' })
await p.pdf({ path: '/tmp/org-shots/sheet.pdf', preferCSSPageSize: true }); await b.close()
