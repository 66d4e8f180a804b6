import type { TextEncoding } from "./encodings.ts";

/** The letters of a language beyond ASCII, the most frequent first. */
const languages = {
  german: "äüöß",
  french: "éèàêçôîûùâœëïÿ",
  spanish: "óíáéñúüº",
  portuguese: "ãçáéóíêâõúôàº",
  italian: "èàòùéìº",
  catalan: "éàóèíçòïú·ü",
  dutch: "ëéïöüè",
  danish: "øåæé",
  swedish: "äåöé",
  icelandic: "áíðéúöþóýæ",
  estonian: "äõüöšž",
  /** A file with customers from several countries. */
  western: "éäüöèáàóíñçøåãêôúâîõßæëïûùòìýœðþÿšž",
  polish: "łąężóśćńź",
  czech: "íáéěýčřžšůúďťňó",
  slovak: "áíéýčžšúľťôňäďóŕĺ",
  hungarian: "áéőöíüóúű",
  romanian: "ăîâşţ",
  croatian: "čšžćđ",
  turkish: "ıüöşçğİâîû",
  russian: "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
  ukrainian: "оаинівертсклдупмязьбгйчхцжїєшюфщґ",
  bulgarian: "аоиентвсрлкдпмзъябугчщжйхцшюфь",
  serbian: "аиоенрсјтукдвмлпзгбљчжцшћхњфђџ",
  belarusian: "анірыесктлопэдўувязмбгцчьшхйжюёф",
  japanese:
    "ンーイルスアトリのクラロカシにドジタはフマコサレを田プキた東京がテニ市バッ区でチムてミとメ県大町しれさデ山本るいオあグ郎子ゴブ中川村木エっりワこすソナんまくノヤパハらダュきなかべベセウポもャガつモビおョピよちズボせうえケゼみけツホわネギ名前ろヒやゾユそめ住所電話番号郵便府都小高松島原藤佐井上林野渡辺部美伊加斎ひほ一二三男太和明正年月日人会社株式商品注文顧客氏姓性別女合計金額数量価格税込送料配達登録店様用新古長西南北阪横浜神戸福岡広札幌仙台千葉埼玉愛知静水白青赤黒緑色服靴茶花香真優翔陽健吉橋池清石ねふどじばだげぎごべずぐぼぶびぜぞむゆぬへザヅペヨヌヘ",
  chinese:
    "的市区省路号李王张刘陈杨县赵黄周吴镇一北京上海街广东徐孙江州南山室楼村马朱胡林郭何高罗浙苏深圳杭西湖梁宋郑谢韩唐冯于董程曹袁邓许傅沈曾彭吕卢蒋蔡贾丁魏薛叶余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆孔白崔康毛邱秦史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华建国红玉兰川重庆天津汉成都宁福河安徽陕辽吉黑贵云四大小中人民新电话手机邮箱地址姓名性别男女客户订单商品价格数量颜色蓝绿尺码备注日期时间年月公司有限责任会员联系收货门园花朝阳海淀浦区晓雨欣佳宇浩子怡婷雪梅",
} as const;
type Language = keyof typeof languages;

const western: Language[] = [
  "german",
  "french",
  "spanish",
  "portuguese",
  "italian",
  "catalan",
  "dutch",
  "danish",
  "swedish",
  "icelandic",
  "estonian",
  "western",
];
const central: Language[] = ["polish", "czech", "slovak", "hungarian", "romanian", "croatian", "german"];
const cyrillic: Language[] = ["russian", "ukrainian", "bulgarian", "serbian", "belarusian"];

/**
 * The encodings that are told apart by their letters, the likelier first, and the languages that are written in them.
 */
const languagesByEncoding: [TextEncoding, Language[]][] = [
  ["windows-1252", western],
  ["windows-1250", central],
  ["windows-1251", cyrillic],
  ["windows-1254", ["turkish"]],
  ["shift_jis", ["japanese"]],
  ["euc-jp", ["japanese"]],
  ["gb18030", ["chinese"]],
  ["iso-8859-15", western],
  ["iso-8859-2", central],
  ["iso-8859-5", cyrillic],
  ["macintosh", western],
];

/** The logarithm of how frequent each letter is. */
export type Profile = ReadonlyMap<string, number>;

/** Part of the letters that are in the list of their language, and how much rarer capital letters are. */
const listedShare = Math.log(0.9);
const capitalShare = Math.log(0.3);

function profileOf(language: Language): Profile {
  const letters = [...new Set(languages[language])];
  const weights = letters.map((_, rank) => 1 / (rank + 3));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const profile = new Map<string, number>();
  for (const [rank, letter] of letters.entries()) {
    const frequency = listedShare + Math.log((weights[rank] ?? 0) / sum);
    const capital = letter.toUpperCase();
    if (capital !== letter && !profile.has(capital)) profile.set(capital, frequency + capitalShare);
    profile.set(letter, frequency);
  }
  return profile;
}

const profiles = new Map<Language, Profile>();

/** Returns the encodings to choose from, each with the profiles of its languages. */
export function candidateEncodings(): { encoding: TextEncoding; profiles: Profile[] }[] {
  return languagesByEncoding.map(([encoding, names]) => ({
    encoding,
    profiles: names.map((name) => {
      const profile = profiles.get(name) ?? profileOf(name);
      profiles.set(name, profile);
      return profile;
    }),
  }));
}
