"""Greek and Roman names: the endings that poets give them, and names of epic that the sources lack."""

# ruff: noqa: SIM905 (words in a row are easier to read and to check than a list of strings)

from __future__ import annotations

from collections.abc import Collection, Iterator

# nominative: how its oblique stem may end; the third declension of Greek names
_STEMS = {
    "on": ("on", "ont"), "or": ("or",), "er": ("er",), "as": ("ad", "ant", "at"), "is": ("id", ""), "ys": ("y", "yd"),
    "ax": ("ac", "act"), "ix": ("ic",), "ops": ("op",), "es": ("et", ""), "us": ("unt",), "ans": ("ant",), "o": ("on",),
    "ens": ("ent",), "os": ("o", "ot"), "yx": ("yc", "yg"), "en": ("en",), "ar": ("ar",), "ul": ("ul",),
}  # fmt: skip
_THIRD = ("is", "em", "i", "e", "a", "os", "as", "es", "um", "ibus")
_OBLIQUE = ("is", "em", "i", "e")
# nominative: endings that may stand in its place
_ENDINGS = {
    "eus": ("ei", "eo", "ea", "eum", "eu", "eos", "e"),
    "es": ("ae", "am", "en", "e", "a", "um", "as", "is", "arum", "i"),
    "e": ("es", "en", "ae", "am", "a"),
    "as": ("ae", "an", "am", "a", "arum", "um"),
    "a": ("ae", "an", "am", "as", "is", "arum", "um"),
    "us": ("i", "o", "um", "e", "on", "os", "orum", "is"),
    "os": ("i", "o", "on", "um", "e"),
    "is": ("in", "im", "i", "y"),
    "ys": ("yn", "ym", "y", "yos"),
    "o": ("us", "un"),
    "on": ("a",),
    "i": ("orum", "os", "um", "is"),
    "um": ("a", "i", "o", "is", "orum"),
}

_ADJECTIVE = ("us", "i", "o", "um", "e", "orum", "is", "os", "a", "ae", "am", "as", "arum")
# Names that are adjectives as well: Asopia, Balearica, Dircaea.
_ENDINGS |= {f"{stem}us": tuple(stem + ending for ending in _ADJECTIVE) for stem in ("i", "ae", "ic")}
_ENDINGS["ius"] += ("i",)

# Written for this lexicon: names of Vergil, Lucan, Ovid, Statius and Valerius without an entry in the sources, with the
# genitive where the nominative does not tell it.
EPIC: dict[str, str] = dict(
    entry.split("/")
    for entry in (
        "latium/latii lauinia/lauiniae danai/danaorum teucri/teucrorum hippomedon/hippomedontis "
        "procne/procnes "
        "tarchon/tarchonis menoetes/menoetae menoeceus/menoecei thetis/thetidis "
        "thiodamas/thiodamantis troas/troadis asilas/asilae erinys/erinyos dircaeus/dircaei phaedimus/phaedimi "
        "teumesius/teumesii hopleus/hoplei cressa/cressae diores/diorae ixion/ixionis itys/ityos melampus/melampodis "
        "aconteus/acontei erichtho/erichthus gorgon/gorgonis procris/procridis agylleus/agyllei creon/creontis "
        "antheus/anthei rhipeus/rhipei acarnan/acarnanis helymus/helymi dares/daretis acheron/acherontis "
        "hyrtacides/hyrtacidae uolcens/uolcentis cretheus/crethei tros/trois mimas/mimantis ornytus/ornyti atlas/atlantis "
        "arruns/arruntis cilix/cilicis nasamon/nasamonis maeotis/maeotidis strymon/strymonis echinas/echinadis "
        "bistonis/bistonidis semele/semeles achais/achaidis amphion/amphionis tereus/terei meleager/meleagri "
        "lelex/lelegis byblis/byblidis peleus/pelei deipyle/deipyles telamon/telamonis eteocles/eteoclis "
        "cydon/cydonis menestheus/menesthei asopius/asopii thymoetes/thymoetae laocoon/laocoontis priameius/priameii "
        "orion/orionis caedicus/caedici helenor/helenoris phegeus/phegei theron/theronis latagus/latagi antores/antoris "
        "thybris/thybridis achoreus/achorei doris/doridis phorcynis/phorcynidis psyllus/psylli maeandrus/maeandri "
        "nereus/nerei balearicus/balearici gargaphie/gargaphies cadmeis/cadmeidis athamas/athamantis lycetus/lyceti "
        "phineus/phinei hodites/hoditae pelates/pelatae echemmon/echemmonis psophis/psophidis titanis/titanidis "
        "dryas/dryadis phyleus/phylei erysichthon/erysichthonis amathus/amathuntis nereis/nereidis periphas/periphantis "
        "nestor/nestoris dolon/dolonis therses/thersae letoides/letoidae phryx/phrygis phocis/phocidis acamas/acamantis "
        "hyperion/hyperionis maeon/maeonis archemorus/archemori langia/langiae euneos/eunei agreus/agrei alatreus/alatrei "
        "haemon/haemonis prothous/prothoi astacides/astacidae aepytus/aepyti parthenopaeus/parthenopaei adrastus/adrasti "
        "polynices/polynicis amphiaraus/amphiarai capaneus/capanei tydeus/tydei hypsipyle/hypsipyles opheltes/opheltae "
        "iocasta/iocastae antigone/antigones ismene/ismenes argia/argiae aeetes/aeetae absyrtus/absyrti iason/iasonis "
        "hylas/hylae styrus/styri perses/persae cyzicus/cyzici calais/calais zetes/zetae pelias/peliae aeson/aesonis "
        "alcimede/alcimedes tiphys/tiphyos mopsus/mopsi idmon/idmonis erginus/ergini canthus/canthi "
        "helicon/heliconis calydon/calydonis pallas/palladis hector/hectoris sidon/sidonis calchas/calchantis "
        "astyanax/astyanactis garamas/garamantis lapithes/lapithae teleboae/teleboarum graiugena/graiugenae "
        "aeneas/aeneae paris/paridis circe/circes penelope/penelopes dione/diones daphnis/daphnidis amata/amatae "
        "clymene/clymenes glauce/glauces cybele/cybeles halcyone/halcyones haemonia/haemoniae aonia/aoniae ogygia/ogygiae "
        "lemnias/lemniadis thrax/thracis oedipus/oedipodis minois/minoidis tantalis/tantalidis argo/argus "
        "maia/maiae aeneades/aeneadae maceta/macetae curetes/curetum dryops/dryopis parnasius/parnasii "
        "dircaea/dircaeae hylaeus/hylaei thaumas/thaumantis thaumantias/thaumantiadis"
    ).split()
)


def spellings(lemma: str, known: Collection[str]) -> Iterator[str]:
    """The forms that a name may have beside the known ones: Hectora, Pallados, Procnen, Aeneadum.

    A stem of the third declension is taken only where `known` has a form of it.

    >>> sorted(spellings("hector", {"hectorem"}))[:4]
    ['hectora', 'hectoras', 'hectore', 'hectorem']
    """
    for nominative, ends in _STEMS.items():
        if lemma.endswith(nominative):
            for end in ends:
                stem = lemma.removesuffix(nominative) + end
                if len(stem) > 2 and any(stem + ending in known for ending in _OBLIQUE if stem + ending != lemma):
                    yield from (stem + ending for ending in _THIRD)
    for nominative in sorted(_ENDINGS, key=len, reverse=True):
        if lemma.endswith(nominative) and len(lemma) > len(nominative) + 1:
            yield from (lemma.removesuffix(nominative) + ending for ending in _ENDINGS[nominative])
            return
