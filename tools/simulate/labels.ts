/** The labels of the options; a question uses the first few. */
export const LABELS = ['هرگز', 'کمی', 'گاهی', 'بیشتر وقت‌ها', 'همیشه']
