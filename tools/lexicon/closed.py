"""Words that no paradigm makes: the pronouns and their compounds, and forms that the sources name differently."""

from __future__ import annotations

from collections import defaultdict

_QUI = {
    "qui": "qui quis", "quis": "quis qui", "quae": "qui quis", "quod": "qui quis", "quid": "quis",
    "cuius": "qui quis", "quoius": "qui quis", "cui": "qui quis", "quoi": "qui quis", "quem": "qui quis",
    "quam": "qui quis", "quo": "qui quis", "qua": "qui quis", "quorum": "qui quis", "quarum": "qui quis",
    "quibus": "qui quis", "queis": "qui quis", "quos": "qui quis", "quas": "qui quis", "quicum": "qui", "quocum": "qui",
    "quacum": "qui", "quibuscum": "qui",
}  # fmt: skip
# what stands before quam, quo, qua and quod as the likelier word: the conjunctions and adverbs
_ALSO = {
    "quam": ("quam", "qui", "quis"), "quo": ("qui", "quo", "quis"), "qua": ("qui", "qua", "quis"),
    "quod": ("qui", "quod", "quis"), "quid": ("quis", "quid"), "qui": ("qui", "quis"),
}  # fmt: skip

_DECLINED = {
    "hic": "hic haec hoc huius huic hunc hanc hac hi hae horum harum his hos has huiusce hosce hasce hisce hunce hance",
    "ille": "ille illa illud illius illi illum illam illo illae illorum illarum illis illos illas olli ollis ollos ollas olla ollum",
    "iste": "iste ista istud istius isti istum istam isto istae istorum istarum istis istos istas istuc istaec istunc istanc",
    "ipse": "ipse ipsa ipsum ipsius ipsi ipsam ipso ipsae ipsorum ipsarum ipsis ipsos ipsas ipsus",
    "is": "is ea id eius ei eum eam eo ii eae eorum earum iis eis eos eas",
    "idem": "idem eadem eiusdem eidem eundem eandem eodem iidem eaedem eorundem earundem isdem iisdem eisdem eosdem easdem eumdem eamdem",
    "ego": "ego mei mihi mi me mecum egomet mihimet memet meme med",
    "tu": "tu tui tibi te tecum tute tutemet temet tete ted",
    "nos": "nos nostrum nostri nobis nobiscum nosmet nobismet",
    "uos": "uos uestrum uestri uobis uobiscum uosmet uobismet uostrum",
    "sui": "sui sibi se sese secum semet sibimet sed",
    "aliquis": "aliquis aliqui aliquae aliqua aliquid aliquod alicuius alicui aliquem aliquam aliquo aliquorum aliquarum aliquibus aliquos aliquas",
    "nemo": "nemo neminis nemini neminem nemine",
    "uterque": "uterque utraque utrumque utriusque utrique utramque utroque utraeque utrorumque utrarumque utrisque utrosque utrasque",
    "plerique": "plerique pleraeque pleraque plerorumque plerarumque plerisque plerosque plerasque",
    "unusquisque": "unusquisque unaquaeque unumquodque unumquidque uniuscuiusque unicuique unumquemque unamquamque unoquoque unaquaque",
    "quisquis": "quisquis quidquid quicquid quemquem quoquo quaqua quodquod",
}  # fmt: skip

_COMPOUNDS = {
    "quidam": ("qui quae quod quid cuius cui quem quam quo qua quorum quarum quibus quos quas", "dam"),
    "quisque": ("quis quae quod quid cuius cui quem quam quo qua quorum quarum quibus quos quas", "que"),
    "quisquam": ("quis quid quic cuius cui quem quo qua quae quorum quibus quos", "quam"),
    "quicumque": ("qui quae quod cuius cui quem quam quo qua quorum quarum quibus quos quas", "cumque cunque"),
    "quiuis": ("qui quae quod quid cuius cui quem quam quo qua quorum quarum quibus quos quas", "uis"),
    "quilibet": ("qui quae quod quid cuius cui quem quam quo qua quorum quarum quibus quos quas", "libet lubet"),
    "quispiam": ("quis quae quod quid quip cuius cui quem quam quo qua quorum quarum quibus quos quas", "piam"),
    "quisnam": ("quis qui quae quod quid cuius cui quem quam quo qua quorum quarum quibus quos quas", "nam"),
    "ecquis": ("", ""),
}  # fmt: skip

# Homographs of the pronouns, kept as later candidates: a form that is not here is the pronoun and nothing else.
_OTHERS = {
    "hic": ("hic",), "hac": ("hac",), "hoc": ("hoc",), "ea": ("eo",), "eo": ("eo",), "eam": ("eo",), "eas": ("eo",), "is": ("eo",), "illa": ("illa",),
    "illo": ("illo",), "illi": ("illi",), "isto": ("isto",), "eadem": ("eadem",), "eodem": ("eodem",),
    "mei": ("meus",), "mi": ("meus",), "tui": ("tuus",), "sui": ("suus",), "nostrum": ("noster",), "nostri": ("noster",),
    "uestrum": ("uester",), "uestri": ("uester",), "uostrum": ("uester",), "aliqua": ("aliqua",), "aliquo": ("aliquo",),
    "aliquam": ("aliquam",), "quodam": (), "sed": ("sed",), "quoque": ("quoque",), "quaque": ("quaque",),
    "quamquam": ("quamquam",), "quoquo": ("quoquo",), "quaqua": ("quaqua",), "utroque": ("utroque",),
    "utrimque": ("utrimque",), "pleraque": (), "quis": ("queo",), "istuc": ("istuc",), "olla": ("olla",), "quamuis": ("quamuis",),
    "quouis": ("quouis",), "quolibet": ("quolibet",), "qualibet": ("qualibet",), "quonam": ("quonam",), "quanam": ("quanam",),
    "quoquam": ("quoquam",), "quaquam": ("quaquam",), "quocumque": ("quocumque",), "quacumque": ("quacumque",),
    "quisquam": (), "quosque": (), "quicquid": (), "quamque": (),
}  # fmt: skip
# The other word is the commoner one: adverbs and possessives.
_OTHER_FIRST = frozenset(
    "sed quoque quamquam aliquo quamuis nostri nostrum uestri uestrum quonam quoquo utroque mei tui quaquam quoquam".split()
)

_FIXED = {
    "que": "que", "ne": "ne", "ue": "ue", "itaque": "itaque", "bene": "bene", "etiam": "etiam", "et": "et", "a": "ab ah", "ab": "ab", "abs": "ab",
    "e": "ex", "ex": "ex", "ac": "atque", "atque": "atque", "nec": "neque", "neque": "neque", "neu": "neue", "neue": "neue",
    "seu": "siue", "siue": "siue", "o": "o", "ah": "ah", "heu": "heu", "ut": "ut", "uti": "ut utor", "ni": "nisi ni", "nam": "nam",
    "haud": "haud", "haut": "haud", "hau": "haud", "quom": "cum", "cum": "cum", "est": "sum edo", "es": "sum edo", "estis": "sum edo", "esse": "sum edo",
    "esset": "sum edo", "essem": "sum edo", "essent": "sum edo", "esto": "sum edo", "este": "sum edo", "estote": "sum edo",
    "sine": "sine sino", "iam": "iam", "an": "an", "at": "at", "ast": "at", "ad": "ad", "in": "in", "non": "non", "si": "si",
    "iouis": "iuppiter", "iouem": "iuppiter", "ioui": "iuppiter", "ioue": "iuppiter", "iuppiter": "iuppiter", "iupiter": "iuppiter",
    "age": "ago", "agite": "ago", "mare": "mare mas", "mari": "mare mas",
}  # fmt: skip


def closed() -> dict[str, tuple[str, ...]]:
    """Folded forms of the closed classes with all their lemmata, the likeliest first."""
    table: dict[str, list[str]] = defaultdict(list)
    for form, lemmata in _QUI.items():
        table[form] += _ALSO.get(form, lemmata.split())
    for lemma, forms in _DECLINED.items():
        for form in forms.split():
            table[form].append(lemma)
    for lemma, (stems, tails) in _COMPOUNDS.items():
        for stem in stems.split():
            for tail in tails.split():
                table[_joined(stem, tail)].append(lemma)
    for form in _QUI:
        table[f"ec{form}"].append("ecquis")
        table[f"nescio{form}"].append("nescioquis")
    for form, others in _OTHERS.items():
        table[form] = [*others, *table[form]] if form in _OTHER_FIRST else [*table[form], *others]
    for form, singular in (("nos", "ego"), ("nobis", "ego"), ("nobiscum", "ego"), ("uos", "tu"), ("uobis", "tu"), ("uobiscum", "tu")):
        table[form].append(singular)
    for form, words in _FIXED.items():
        table[form] = words.split()
    return {form: tuple(dict.fromkeys(lemmata)) for form, lemmata in table.items()}


def _joined(stem: str, tail: str) -> str:
    return (stem[:-1] + "n" if tail == "dam" and stem.endswith("m") else stem) + tail
