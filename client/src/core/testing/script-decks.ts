import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import type { TextStyle } from '../scene/style/text-style.ts';
import { newZone } from '../scene/zones.ts';

/** A card of a deck in another script. */
export interface ScriptCard {
  readonly title: string;
  readonly text: string;
}

/** Ten cards in Japanese: titles without kana, brackets, small kana, numbers, Latin and a full-width indent. */
export const JAPANESE: readonly ScriptCard[] = [
  { title: '火山', text: '山札から「炎」のカードを2枚引き、そのうち1枚を捨て札に置く。' },
  { title: '灯台守', text: 'あなたの手番のはじめに、隣のマスにいる船を1隻、港まで動かしてもよい。' },
  { title: '古い地図', text: '　この札を公開する。まだ誰も訪れていない島を一つ選び、その上に旗を立てる。' },
  { title: '雪女', text: '全員が「凍結」を1個ずつ受け取る。（すでに3個ある人は、代わりに次の番を休む。）' },
  { title: '商人の船', text: '木材・鉄・米のどれか1つを売り、金貨を3枚得る。……ただし、嵐の間は売れない。' },
  { title: '月夜の使者', text: '裏向きのカードを1枚めくる。それが奇数なら、もう1回めくってよい！' },
  {
    title: '鍛冶屋',
    text: 'レベルを1つ上げる（Lv. 5まで）。\nAIロボット、ショベルカー、キャッチャーのどれにも使える。',
  },
  { title: '図書館', text: 'サイコロを2個振り、大きい方の目だけ『知識』トークンを取る（最大で6個）。' },
  { title: '裏切り者', text: '左どなりの人と手札をすべて交換する。ゲーム終了時、この札は−5点になる。' },
  { title: '夜明け', text: 'ラウンドを終える。得点が最も高いプレイヤーが、新しいスタートプレイヤーになる。' },
];

/** Ten cards in Arabic: numbers, brackets, Latin, lam-alef, and letters whose dots are glyphs of their own. */
export const ARABIC: readonly ScriptCard[] = [
  { title: 'البركان', text: 'اسحب بطاقتين ثم تخلص من واحدة. يفوز اللاعب صاحب أعلى نقاط!' },
  { title: 'حارس المنارة', text: 'في بداية دورك، حرك سفينة واحدة إلى الميناء القريب.' },
  { title: 'خريطة قديمة', text: 'اكشف هذه البطاقة واختر جزيرة لم يزرها أحد بعد، ثم ضع علمك عليها.' },
  { title: 'ملكة الثلج', text: 'يأخذ كل لاعب علامة تجميد. من لديه ثلاث علامات يفقد دوره التالي.' },
  { title: 'سفينة التاجر', text: 'بع الخشب أو الحديد أو الأرز واحصل على 3 قطع ذهبية، إلا وقت العاصفة.' },
  { title: 'رسول القمر', text: 'اقلب بطاقة مخفية. إذا كان رقمها فرديا فاقلب بطاقة أخرى.' },
  { title: 'الحداد', text: 'ارفع المستوى بمقدار 1 لأي آلة من آلاتك الثلاث.\nانظر صفحة Turbo في الكتيب.' },
  { title: 'المكتبة', text: 'ارم النرد مرتين وخذ من رموز المعرفة بقدر الرقم الأكبر.' },
  { title: 'الخائن', text: 'بدل جميع أوراقك مع اللاعب الجالس إلى يسارك. لا تنس ذلك في النهاية.' },
  { title: 'الفجر', text: 'تنتهي الجولة الآن. يبدأ الجولة التالية اللاعب الذي جمع أكثر النقاط.' },
];

/** Ten cards with vowel marks: Arabic with doubled letters and lam-alef, Hebrew with dots within and above letters. */
export const POINTED: readonly ScriptCard[] = [
  { title: 'الْبُرْكَانُ', text: 'اِسْحَبْ بِطَاقَتَيْنِ ثُمَّ تَخَلَّصْ مِنْ وَاحِدَةٍ.' },
  { title: 'لَآلِئُ الْبَحْرِ', text: 'لِلَّاعِبِ 3 لَآلِئَ، وَلَا يَبِيعُهَا أَبَدًا.' },
  { title: 'مُعَلِّمُ السِّحْرِ', text: 'تَعَلَّمْ تَعْوِيذَةً جَدِيدَةً\nوَعَلِّمْهَا لِجَارِكَ.' },
  { title: 'وَ', text: 'اُكْتُبْ Tuckbox عَلَى الْوَرَقَةِ مَرَّتَيْنِ.' },
  { title: 'مِفْتَاحٌ', text: 'اِفْتَحِ الصُّنْدُوقَ وَخُذْ كُلَّ مَا فِيهِ مِنْ ذَهَبٍ.' },
  { title: 'הָאִי', text: 'קַח שְׁנֵי קְלָפִים וְהַשְׁלֵךְ אֶחָד מֵהֶם.' },
  { title: 'שׁוֹמֵר הַמִּגְדַּלּוֹר', text: 'הָזֵז 2 סִירוֹת אֶל הַנָּמֵל הַקָּרוֹב.' },
  { title: 'מַפָּה', text: 'בְּחַר אִי\nוְשִׂים עָלָיו דֶּגֶל.' },
  { title: 'נָ', text: 'כְּתֹב Tuckbox עַל הַדַּף פַּעֲמַיִם.' },
  { title: 'מַפְתֵּחַ', text: 'פְּתַח אֶת הַתֵּבָה וְקַח אֶת כָּל הַזָּהָב.' },
];

/**
 * The usual layout of such a deck: a title and a text, in a family that has neither script.
 * @param style changes both texts
 */
export function scriptLayout(change: Partial<Layout> = {}, style: Partial<TextStyle> = {}): Layout {
  const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 53, h: 12 });
  const text = newZone('text', 'text', 'Text', { x: 5, y: 20, w: 53, h: 60 });
  return {
    ...newLayout('Scripts'),
    zones: [
      {
        ...title,
        style: { ...title.style, size: 15, weight: 700, align: 'start', ...style },
        bindings: { text: { mode: 'column', column: 'title' } },
      },
      {
        ...text,
        style: { ...text.style, size: 11, align: 'start', lineHeight: 1.5, ...style },
        bindings: { text: { mode: 'column', column: 'text' } },
      },
    ],
    ...change,
  };
}

/** The rows of a deck. */
export const scriptRows = (cards: readonly ScriptCard[]) =>
  cards.map(({ title, text }) => ({ cells: { title, text } }));
